# SPDX-License-Identifier: BSD-3-Clause
"""tofu-bench: measures put and get with many threads, next to the peers a user would pick instead."""
