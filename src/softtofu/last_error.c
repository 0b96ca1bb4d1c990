/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text of a thread's last failure. utofu_get_last_error() is in no header of the vendor's, but its library has it,
 * and programs declare it for themselves.
 */
#include "softtofu/api.h"
#include "softtofu/log.h"

#include <stdio.h>
#include <string.h>

/** Bytes that callers have room for: the smallest buffer that programs are known to hand over. */
#define TEXT_MAX 256

static _Thread_local struct {
    const char *call;
    int code;
    char detail[TEXT_MAX - 64]; /**< What is longer than the rest leaves room for is cut. */
} last;

struct meaning {
    int code;
    const char *name, *text;
};

#define MEANING(name, text) {UTOFU_ERR_##name, "UTOFU_ERR_" #name, text}

static const struct meaning meanings[] = {
        {0, "an unknown error", "utofu.h does not know its code"},
        MEANING(USED, "the component id or STag is taken: choose another"),
        MEANING(FULL, "none is left: free some, or try another TNI"),
        MEANING(NOT_AVAILABLE, "the kind asked for cannot be had now, or the process is not part of a job"),
        MEANING(NOT_SUPPORTED, "this device cannot do it"),
        MEANING(TCQ_OTHER, "the command was not sent"),
        MEANING(TCQ_DESC, "the command was not sent: its image is damaged"),
        MEANING(TCQ_MEMORY, "the command was not sent: its local memory could not be read"),
        MEANING(TCQ_STADD, "the command was not sent: its local STADD is not registered on this VCQ, or is read-only"),
        MEANING(TCQ_LENGTH, "the command was not sent: it goes past the end of the local registration"),
        MEANING(MRQ_OTHER, "the command failed"),
        MEANING(MRQ_PEER, "the target VCQ does not exist, was freed, or its process died"),
        MEANING(MRQ_LCL_MEMORY, "the local memory went away"),
        MEANING(MRQ_RMT_MEMORY, "the remote memory went away"),
        MEANING(MRQ_LCL_STADD, "the local STADD was deregistered too early"),
        MEANING(MRQ_RMT_STADD, "the remote STADD is not registered on the target VCQ, or is read-only"),
        MEANING(MRQ_LCL_LENGTH, "the data went past the end of the local registration"),
        MEANING(MRQ_RMT_LENGTH, "the command goes past the end of the remote registration"),
        MEANING(BARRIER_OTHER, "a process that takes part in the barrier died"),
        MEANING(BARRIER_MISMATCH, "other processes started another operation on their gates"),
        MEANING(INVALID_ARG, "an argument is invalid"),
        MEANING(INVALID_POINTER, "a pointer is NULL"),
        MEANING(INVALID_FLAGS, "a bit of flags is not defined for this call"),
        MEANING(INVALID_COORDS, "the coordinates are outside the network"),
        MEANING(INVALID_PATH, "the path coordinates are outside a unit"),
        MEANING(INVALID_TNI_ID, "the TNI does not exist"),
        MEANING(INVALID_CQ_ID, "the CQ does not exist"),
        MEANING(INVALID_BG_ID, "the barrier gate does not exist"),
        MEANING(INVALID_CMP_ID, "the component id is too large"),
        MEANING(INVALID_VCQ_HDL, "the handle is of no VCQ of this process, or of one that was freed"),
        MEANING(INVALID_VCQ_ID, "the VCQ id is ill-formed, or outside the network"),
        MEANING(INVALID_VBG_ID, "the VBG id is no gate of this process that the call can use"),
        MEANING(INVALID_PATH_ID, "the path does not exist"),
        MEANING(INVALID_STADD, "the STADD is not registered here, or not aligned"),
        MEANING(INVALID_ADDRESS, "the memory does not exist, or is not aligned"),
        MEANING(INVALID_SIZE, "the size is 0 or too large"),
        MEANING(INVALID_STAG, "the STag is too large"),
        MEANING(INVALID_EDATA, "edata is larger than a byte"),
        MEANING(INVALID_NUMBER, "the number of elements is out of range"),
        MEANING(INVALID_OP, "the operation does not exist for this call"),
        MEANING(INVALID_DESC, "the image holds something that is no command"),
        MEANING(INVALID_DATA, "the data are invalid"),
        MEANING(OUT_OF_RESOURCE, "the device has no room left"),
        MEANING(OUT_OF_MEMORY, "no memory is left"),
        MEANING(FATAL, "the device is broken"),
};

void softtofu_remember_failure(const char *call, int code)
{
    last.call = call;
    last.code = code;
    softtofu_error_take_last(last.detail, sizeof(last.detail));
}

int softtofu_failure_code(const char *name)
{
    for (size_t i = 1; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
        if (strcmp(meanings[i].name + strlen("UTOFU_ERR_"), name) == 0)
            return meanings[i].code;
    }
    return UTOFU_SUCCESS;
}

static const struct meaning *find_meaning(int code)
{
    for (size_t i = 1; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
        if (meanings[i].code == code)
            return &meanings[i];
    }
    return &meanings[0];
}

/** Declared here, because the vendor's header does not; const is the vendor's, though the text is written. */
void putofu_get_last_error(const char *msg);

/**
 * Tell what went wrong in this thread's last call that failed.
 * @param[out] msg  Room for 256 bytes: "utofu_put: UTOFU_ERR_INVALID_SIZE: ..."; an empty text if none has failed.
 */
void putofu_get_last_error(const char *msg)
{
    const struct meaning *meaning;

    if (msg == NULL)
        return;
    if (last.call == NULL) {
        *(char *)msg = '\0';
        return;
    }
    meaning = find_meaning(last.code);
    /* Calls are remembered by the names of their definitions, putofu_*. */
    snprintf((char *)msg, TEXT_MAX, "%s: %s: %s", last.call + 1, meaning->name,
             last.detail[0] != '\0' ? last.detail : meaning->text);
}
SOFTTOFU_TWIN(get_last_error);
