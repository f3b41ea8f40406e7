// Copies Python for browsers, Pyodide, into forthvm/web/playground/pyodide, with the modules of the
// standard library that rule files need, compiled: so it starts in half of the time.

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";

const folder = dirname(fileURLToPath(import.meta.url));
const from = join(folder, "node_modules/pyodide");
const to = join(folder, "../../forthvm/web/playground/pyodide");
const LIBRARY = "python_stdlib.zip";

// The modules and packages that are kept: those that Pyodide and forthvm import.
const KEPT = `
    __future__ _collections_abc _colorize _opcode_metadata _py_warnings _pyodide _sitebuiltins _weakrefset abc annotationlib ast
    asyncio base64 bisect bz2 codecs codeop collections compression concurrent contextlib contextvars copy copyreg dataclasses
    decimal difflib dis encodings enum fnmatch fractions functools genericpath glob hashlib heapq importlib inspect io ipaddress
    json keyword linecache locale logging lzma ntpath numbers opcode operator os pathlib posixpath pyodide random re reprlib
    selectors shutil signal site socket ssl stat statistics string struct subprocess tempfile textwrap threading token tokenize
    traceback types typing urllib warnings weakref xml zipfile zipimport`.trim().split(/\s+/);
const ENCODINGS = "__init__ aliases ascii cp1251 cp1252 cp437 latin_1 utf_8 utf_16 utf_16_be utf_16_le".split(" ");

const COMPILE = `
import importlib._bootstrap_external as bootstrap
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

def is_kept(name):
    top, _, rest = name.removesuffix(".py").partition("/")
    return rest in encodings if top == "encodings" else top in kept

def compiled(name, text):
    code = compile(text, name, "exec", dont_inherit=True, optimize=2)
    return bytes(bootstrap._code_to_timestamp_pyc(code))

out = BytesIO()
with ZipFile("/lib/python314.zip") as source, ZipFile(out, "w") as target:
    for name in sorted(filter(is_kept, source.namelist())):
        if name.endswith(".py"):
            data = compiled(name, source.read(name))
            target.writestr(ZipInfo(name + "c"), data, ZIP_DEFLATED, 9)
out.getvalue()
`;

const python = await loadPyodide({ env: { PYTHONHASHSEED: "0" } });
const globals = python.toPy({ kept: KEPT, encodings: ENCODINGS });
rmSync(to, { recursive: true, force: true });
mkdirSync(to);
for (const name of ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"]) copyFileSync(join(from, name), join(to, name));
writeFileSync(join(to, LIBRARY), python.runPython(COMPILE, { globals }).toJs());
// Without a list of packages, Pyodide would fetch one from the network.
const { info } = JSON.parse(readFileSync(join(from, "pyodide-lock.json"), "utf8"));
writeFileSync(join(to, "pyodide-lock.json"), JSON.stringify({ info, packages: {} }));
copyFileSync(join(folder, "pyodide-notice.txt"), join(to, "NOTICE.txt"));
