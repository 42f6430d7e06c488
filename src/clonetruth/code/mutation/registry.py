"""The editing operators, from the slightest edit to the largest: one function each, one line here.

They are named as in the literature where it has them. Roy and Cordy (Mutation 2009) derived theirs from a taxonomy of
what developers do to copied code; Svajlenko and Roy (TSE 2019) split them further.
"""

from __future__ import annotations

from clonetruth.code.mutation.operator import Operator
from clonetruth.registry import Registry

OPERATORS: Registry[Operator] = Registry(
    "operator",
    {
        "mCW_A": "clonetruth.code.mutation.layout:add_blanks",
        "mCW_R": "clonetruth.code.mutation.layout:remove_blanks",
        "mCC_BT": "clonetruth.code.mutation.layout:add_comment_between",
        "mCC_EOL": "clonetruth.code.mutation.layout:add_comment_at_end",
        "mCC_R": "clonetruth.code.mutation.layout:remove_comment",
        "mCC_C": "clonetruth.code.mutation.layout:change_comment",
        "mCF_A": "clonetruth.code.mutation.layout:add_line_break",
        "mCF_R": "clonetruth.code.mutation.layout:remove_line_break",
        "mCF_B": "clonetruth.code.mutation.layout:move_brace",
        "mSRI": "clonetruth.code.mutation.renaming:rename_one",
        "mSRI_A": "clonetruth.code.mutation.renaming:rename_all",
        "mSRT": "clonetruth.code.mutation.renaming:rename_type",
        "mARI": "clonetruth.code.mutation.renaming:rename_once",
        "mRL_N": "clonetruth.code.mutation.renaming:change_number",
        "mRL_S": "clonetruth.code.mutation.renaming:change_string",
        "mSIL": "clonetruth.code.mutation.layout:add_argument",
        "mSDL": "clonetruth.code.mutation.layout:remove_argument",
        "mSML": "clonetruth.code.mutation.layout:replace_operator",
        "mRPE": "clonetruth.code.mutation.layout:replace_by_expression",
        "mIL": "clonetruth.code.mutation.statements:insert_statement",
        "mILs": "clonetruth.code.mutation.statements:insert_statements",
        "mDL": "clonetruth.code.mutation.statements:delete_statement",
        "mML": "clonetruth.code.mutation.statements:replace_statement",
        "mRDs": "clonetruth.code.mutation.statements:reorder_declarations",
        "mROs": "clonetruth.code.mutation.statements:reorder_statements",
        "mCR": "clonetruth.code.mutation.statements:replace_control",
    },
    group="clonetruth.operators",
)
