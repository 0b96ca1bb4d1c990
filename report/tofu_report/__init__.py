# SPDX-License-Identifier: BSD-3-Clause
"""tofu-report: from rows of the result schema to plots and one self-contained HTML page."""
