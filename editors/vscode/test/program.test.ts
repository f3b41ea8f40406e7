import assert from "node:assert/strict";
import { homedir } from "node:os";
import test from "node:test";
import { invocation } from "../src/program";

test("the command is a name, a path, or a list", () => {
    assert.deepEqual(invocation("forthvm", undefined, ["lsp"]), { program: "forthvm", args: ["lsp"] });
    assert.deepEqual(invocation(["python3", "-m", "forthvm"], "/games", ["lsp"]), {
        program: "python3",
        args: ["-m", "forthvm", "lsp"],
    });
});

test("a path with blanks is one program", () => {
    assert.equal(invocation("/my games/bin/forthvm", undefined, []).program, "/my games/bin/forthvm");
});

test("the workspace folder and the home folder are replaced", () => {
    assert.equal(invocation("${workspaceFolder}/.venv/bin/forthvm", "/a $& b", []).program, "/a $& b/.venv/bin/forthvm");
    assert.equal(invocation("~/bin/forthvm", undefined, []).program, `${homedir()}/bin/forthvm`);
    assert.equal(invocation("~other/forthvm", undefined, []).program, "~other/forthvm");
});

test("an unusable setting counts as the default", () => {
    for (const setting of [undefined, null, "", "  ", [], [""], 1, [{}]]) {
        assert.deepEqual(invocation(setting, undefined, ["lsp"]), { program: "forthvm", args: ["lsp"] });
    }
});
