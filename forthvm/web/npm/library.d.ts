/** The files of the library; forthvm/web/npm/package.py writes this module. */
export const library: { name: string; text: string }[];
