/* SPDX-License-Identifier: BSD-3-Clause */
#include "softtofu/device.h"

#include "softtofu/env.h"
#include "softtofu/job.h"
#include "softtofu/log.h"
#include "softtofu/process.h"
#include "softtofu/vbg.h"
#include "softtofu/watch.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum state { STATE_NEW, STATE_ATTACHED, STATE_FAILED };

_Atomic(struct softtofu_device *) softtofu_device_attached;

static struct {
    pthread_mutex_t mutex;
    enum state state; /**< Guarded by the mutex. */
    struct softtofu_device device;
} self = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static int read_settings(struct softtofu_device *device)
{
    return softtofu_env_choice(SOFTTOFU_ENV_ATTACH, "yes", "no", &device->attach_allowed) != 0 ||
                           softtofu_env_choice(SOFTTOFU_ENV_MRQ_OVERFLOW, "abort", "busy",
                                               &device->abort_on_overflow) != 0 ||
                           softtofu_fault_plan_read(softtofu_env_string(SOFTTOFU_ENV_FAULT),
                                                    &device->fault_plan) != 0
                   ? -1
                   : 0;
}

static int attach(struct softtofu_device *device)
{
    struct softtofu_job job;
    const struct torus_map *map;
    struct torus_place place;
    int rank;

    if (softtofu_job_detect(&job) != 0 || read_settings(device) != 0 ||
        softtofu_fabric_join(&device->fabric, &job.spec) != 0)
        return -1;
    rank = softtofu_process_attach(&device->fabric, job.rank);
    if (rank < 0)
        goto err_close;
    map                  = softtofu_fabric_map(&device->fabric);
    place                = torus_map_place(map, (uint32_t)rank);
    device->rank         = (unsigned)rank;
    device->node         = place.node;
    device->rank_in_node = place.slot;
    device->process      = softtofu_fabric_process(&device->fabric, device->rank);
    torus_map_coords(map, device->node, device->coords);
    softtofu_fault_begin(&device->create_fault, &device->fault_plan, device->rank, 0);
    device->place = softtofu_tni_encode(device->coords, 0);
    pthread_mutex_init(&device->memory_mutex, NULL);
    pthread_mutex_init(&device->queues_mutex, NULL);
    device->queues = calloc(device->fabric.head->nodes * (size_t)SOFTTOFU_NODE_VCQS,
                            sizeof(*device->queues));
    device->vbgs   = aligned_alloc(SOFTTOFU_HOST_LINE, SOFTTOFU_NODE_GATES * sizeof(*device->vbgs));
    device->peers  = softtofu_peers_create(&device->fabric);
    if (device->queues == NULL || device->vbgs == NULL || device->peers == NULL) {
        softtofu_error("no memory is left for a table of %u ranks",
                       device->fabric.head->processes_max);
        goto err_detach;
    }
    memset(device->vbgs, 0, SOFTTOFU_NODE_GATES * sizeof(*device->vbgs));
    /* Where Yama restricts cross-memory attach to descendants: peers are siblings. */
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    if (softtofu_watch_start(device) == 0)
        return 0;

err_detach:
    if (device->peers != NULL)
        softtofu_peers_destroy(device->peers);
    free(device->vbgs);
    free(device->queues);
    softtofu_process_detach(&device->fabric, device->rank);
err_close:
    softtofu_fabric_close(&device->fabric);
    return -1;
}

/* A child is no rank: its parent is. Both hold the descriptors, so the child lets go of the announcement. */
static void forget_in_child(void)
{
    if (self.state == STATE_ATTACHED)
        close(self.device.fabric.announcement);
    softtofu_watch_forget();
    pthread_mutex_init(&self.mutex, NULL);
    atomic_store(&softtofu_device_attached, NULL);
    self.state = STATE_NEW;
}

struct softtofu_device *softtofu_device_attach(void)
{
    static bool watching_forks;

    pthread_mutex_lock(&self.mutex);
    if (self.state == STATE_NEW) {
        if (!watching_forks)
            pthread_atfork(NULL, NULL, forget_in_child);
        watching_forks = true;
        self.state     = attach(&self.device) == 0 ? STATE_ATTACHED : STATE_FAILED;
        if (self.state == STATE_ATTACHED)
            atomic_store_explicit(&softtofu_device_attached, &self.device, memory_order_release);
    }
    pthread_mutex_unlock(&self.mutex);
    return atomic_load(&softtofu_device_attached);
}

int softtofu_device_create_fault(struct softtofu_device *device)
{
    int result;

    if (!softtofu_fault_on(&device->create_fault))
        return UTOFU_SUCCESS;
    pthread_mutex_lock(&device->queues_mutex);
    result = softtofu_fault_resource(&device->create_fault, SOFTTOFU_FAULT_CREATE_VCQ);
    pthread_mutex_unlock(&device->queues_mutex);
    return result;
}

bool softtofu_device_queue(struct softtofu_device *device, size_t index, struct softtofu_queue *queue)
{
    queue->ring = atomic_load_explicit(&device->queues[index], memory_order_acquire);
    if (queue->ring == NULL) {
        pthread_mutex_lock(&device->queues_mutex);
        queue->ring = atomic_load(&device->queues[index]);
        if (queue->ring == NULL && softtofu_fabric_map_queue(&device->fabric, index, queue) == 0)
            atomic_store_explicit(&device->queues[index], queue->ring, memory_order_release);
        pthread_mutex_unlock(&device->queues_mutex);
    }
    if (queue->ring == NULL)
        return false;
    queue->traffic = softtofu_queue_traffic(&device->fabric, queue->ring);
    return true;
}

/* Mappings stay: another thread may be in the middle of a put, and the kernel unmaps them in a moment. */
__attribute__((destructor)) static void detach_at_exit(void)
{
    if (atomic_load(&softtofu_device_attached) != NULL) {
        softtofu_watch_end(&self.device);
        softtofu_process_detach(&self.device.fabric, self.device.rank);
    }
}
