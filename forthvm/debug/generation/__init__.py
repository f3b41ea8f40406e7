"""Move generation under the trace: which words ran where, and what they decided.

Owns the traced runs that `explain` and `why_not` rest on.  It must not know these queries.
"""
