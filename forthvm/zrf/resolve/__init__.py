"""From the forms of a rule file to the `Rules` of one game or variant.

Owns the meaning of sections: variants, geometry, pieces, code, goals, options.
"""
