import type { PlannedCall } from "./play-plan.js";
import { call, shell } from "./play-plan.js";

/** Folders of the layout, absolute: only `ws` and `project` are granted. */
export interface Layout {
  readonly top: string;
  readonly ws: string;
  readonly peer: string;
}

/** The whole disk again, as a process sees it. */
const KERNEL_ROOT: string = ["", "root"].join("/");

/** Ways to write the path of something outside of what is granted. */
const outsidePaths = ({ top, ws, peer }: Layout): readonly string[] => {
  const up = "../".repeat(12);
  return [
    `${top}/outside/secret.txt`,
    `${top}/outside/./secret.txt`,
    `${top}//outside//secret.txt`,
    `${top}/project/../outside/secret.txt`,
    `${ws}/../../../outside/secret.txt`,
    `${ws}/not/there/../../../../../outside/secret.txt`,
    "../../../outside/secret.txt",
    "./.././../../outside/secret.txt",
    "sub/../../../../outside/secret.txt",
    `${up}${top.slice(1)}/outside/secret.txt`,
    `${"sub/../".repeat(300)}../../../outside/secret.txt`,
    "planted-file",
    "planted-folder/secret.txt",
    "planted-chain",
    "planted-dangling",
    "flips/secret.txt",
    `${top}/project/link-out/secret.txt`,
    `${top}/project/link-file`,
    `${top}/project/link-abs/secret.txt`,
    `${top}/project/LINK-OUT/secret.txt`,
    `${top}/PROJECT/../outside/secret.txt`,
    `${top}/Outside/secret.txt`,
    `${top}/outsid\u0435/secret.txt`,
    `${top}/outside/se\u0301cret.txt`,
    `${top}/outside/s\u00e9cret.txt`,
    `${top}/out\u200bside/secret.txt`,
    `.\uff0e/.\uff0e/.\uff0e/outside/secret.txt`,
    "..\u2215..\u2215..\u2215outside\u2215secret.txt",
    "%2e%2e/%2e%2e/%2e%2e/outside/secret.txt",
    "..%2f..%2f..%2foutside%2fsecret.txt",
    `file://${top}/outside/secret.txt`,
    `${top}/outside/secret.txt\u0000.md`,
    `${top}/outside/secret.txt\n`,
    "~/.ssh/id_rsa",
    "~root/.ssh/id_rsa",
    `${top}/home/.ssh/id_rsa`,
    `${top}/home/.aws/credentials`,
    `/proc/self${KERNEL_ROOT}${top}/outside/secret.txt`,
    `/proc/self/cwd/../outside/secret.txt`,
    `/proc/thread-self${KERNEL_ROOT}${top}/outside/secret.txt`,
    "/proc/self/environ",
    "/proc/1/environ",
    "/proc/self/fd/0",
    "/dev/stdin",
    "/dev/fd/0",
    "/dev/mem",
    "/dev/sda",
    `${peer}/secret.txt`,
    `${top}/.massgen/runs`,
    `${top}/.massgen/massgen_logs`,
    `${top}/project/.massgen/secret.txt`,
    `${top}/project/.env`,
    `${top}/project/sub/.env.local`,
    `${top}/project/.git/config.secret`,
    `${"a".repeat(5000)}/../secret.txt`,
    `${top}/outside/${"x".repeat(300)}`,
    `${top}/project/archive.zip/../../outside/secret.txt`,
    `${top}/project/archive.zip!/../../outside/secret.txt`,
    "-rf",
    "--help",
    `--file=${top}/outside/secret.txt`,
    `@${top}/outside/secret.txt`,
    `"${top}/outside/secret.txt"`,
    `$(cat ${top}/outside/secret.txt)`,
    `\${HOME}/.ssh/id_rsa`,
    `C:\\outside\\secret.txt`,
    "..\\..\\..\\outside\\secret.txt",
    `\\\\?\\${top}\\outside\\secret.txt`,
  ];
};

/** Every file tool is sent at what must stay out of reach: its first letters tell what it would do there. */
export function fileAttempts(layout: Layout): readonly PlannedCall[] {
  const paths = outsidePaths(layout);
  const { top } = layout;
  const folders = [
    `${top}/outside`,
    "../../../outside",
    "planted-folder",
    `${top}/project/link-out`,
    "flips",
    `${top}/.massgen`,
    layout.peer,
    "/",
    "~",
  ];
  const few = paths.filter((_, index) => index % 4 === 0);
  const proto = (path: string): PlannedCall =>
    call("read_file", JSON.parse(`{"path":"own.txt","__proto__":{"path":${JSON.stringify(path)}}}`));
  return [
    call("read_file", { path: `${top}/project/src/a.txt` }),
    ...paths.map((path) => call("read_file", { path })),
    ...paths.map((path) => call("write_file", { path, content: "EVIL" })),
    ...folders.flatMap((path) => [
      call("list_directory", { path, depth: 3, show_hidden: true, include_ignored: true }),
      call("glob", { pattern: "**/*", path, include_ignored: true }),
      call("grep", { pattern: "CANARY", path, mode: "content" }),
    ]),
    ...few.flatMap((path) => [
      call("copy_path", { source: path, destination: "taken.txt", overwrite: true }),
      call("move_path", { source: "own.txt", destination: path, overwrite: true }),
      call("delete_path", { path, recursive: true }),
      call("read_many_files", { paths: ["own.txt", path] }),
      call("compare_files", { file1: "own.txt", file2: path }),
      call("edit_file", { path, old_string: "CANARY", new_string: "EVIL", replace_all: true }),
      call("create_directory", { path: `${path}/evil` }),
    ]),
    call("glob", { pattern: "../../../outside/*" }),
    call("glob", { pattern: `${top}/outside/*` }),
    call("grep", { pattern: "--pre=cat", path: `${top}/outside` }),
    call("grep", { pattern: "CANARY", path: ".", glob: "../../../outside/*", mode: "content" }),
    call("copy_files_batch", { source_base: `${top}/outside`, destination_base: "." }),
    call("copy_files_batch", { source_base: ".", destination_base: `${top}/outside`, overwrite: true }),
    call("delete_files_batch", { base_path: `${top}/outside`, include: ["**/*"] }),
    call("compare_directories", { dir1: ".", dir2: `${top}/outside`, content_diff: true }),
    call("read_file", { file_path: `${top}/outside/secret.txt` }),
    call("write_file", { path: "own.txt", file_path: `${top}/outside/secret.txt`, content: "EVIL" }),
    call("read_file", { path: ["own.txt", `${top}/outside/secret.txt`] }),
    proto(`${top}/outside/secret.txt`),
  ];
}

/** The same through commands, most of them made up so that no reader of commands sees where they lead. */
export function commandAttempts({ top, ws, peer }: Layout): readonly PlannedCall[] {
  const hidden = (path: string): string => `$(printf '${Buffer.from(path).toString("base64")}' | base64 -d)`;
  const secret = hidden(`${top}/outside/secret.txt`);
  const reads = [
    `cat "${secret}"`,
    `cd /; cat "${secret}"`,
    `ln -s "${secret}" planted; cat planted`,
    `ln "${secret}" hard; cat hard`,
    `cp "${secret}" taken; cat taken`,
    `tar cf - "${hidden(`${top}/outside`)}" | strings`,
    `find / -name 'secret*' -exec cat {} + 2>/dev/null`,
    `grep -r CANARY / --include=secret.txt 2>/dev/null | head`,
    `cat "${hidden(`/proc/self${KERNEL_ROOT}${top}/outside/secret.txt`)}"`,
    `cat "${hidden(`/proc/1${KERNEL_ROOT}${top}/outside/secret.txt`)}"`,
    `for p in /proc/[0-9]*; do cat $p/cwd/../outside/secret.txt $p/environ; done 2>/dev/null | strings`,
    `cat "${hidden(`${top}/home/.ssh/id_rsa`)}"`,
    `cat ~/.ssh/id_rsa`,
    `cat "${hidden(`${peer}/secret.txt`)}"`,
    `cat "${hidden(`${top}/project/.env`)}" "${hidden(`${top}/project/sub/.env.local`)}"`,
    `ls -R "${hidden(`${top}/.massgen`)}"`,
    `node -e "console.log(require('fs').readFileSync(Buffer.from('${Buffer.from(`${top}/outside/secret.txt`).toString("base64")}', 'base64').toString(), 'utf8'))"`,
    `env`,
    `cat /proc/self/environ | tr '\\0' '\\n'`,
    `exec 9<"${secret}"; cat <&9`,
    `mount --bind "${hidden(`${top}/outside`)}" .`,
    `unshare -rm cat "${secret}"`,
    `chroot / cat "${secret}"`,
    `dd if="${secret}"`,
    `while read -r line; do echo "$line"; done < "${secret}"`,
    `source "${secret}"`,
    `diff "${secret}" /dev/null`,
  ];
  const writes = [
    `echo EVIL > "${secret}"`,
    `echo EVIL >> "${secret}"`,
    `rm -f "${secret}"`,
    `mv own.txt "${secret}"`,
    `truncate -s 0 "${secret}"`,
    `chmod 777 "${secret}"`,
    `touch "${hidden(`${top}/outside/evil`)}"`,
    `mkdir -p "${hidden(`${top}/outside/evil`)}"`,
    `sed -i s/CANARY/EVIL/ "${secret}"`,
    `ln -sfn "${hidden(`${top}/outside`)}" sub2; echo EVIL > sub2/secret.txt`,
    `mkdir t; echo EVIL > t/x; tar cf t.tar --transform 's,^t/x,../../../outside/secret.txt,' -P t/x; tar xPf t.tar`,
    `python3 -c "import zipfile; z = zipfile.ZipFile('z.zip', 'w'); z.writestr('../../../outside/secret.txt', 'EVIL'); z.close()"; unzip -o -: z.zip`,
    `echo EVIL > "${hidden(`${top}/project/src/a.txt`)}"`,
    `echo EVIL > "${hidden(`${top}/project/.env`)}"`,
    `echo EVIL > "${hidden(`${peer}/secret.txt`)}"`,
    `echo EVIL > "${hidden(`${top}/home/.bashrc`)}"`,
    `echo EVIL > ~/.bashrc; cp ~/.bashrc "${hidden(`${top}/home/.bashrc`)}"`,
    `echo EVIL > /dev/sda`,
    `echo EVIL > /proc/self/../../..${top}/outside/secret.txt`,
    `cp -a own.txt "${hidden(`${ws}/../../../outside/secret.txt`)}"`,
    `install -m 755 own.txt "${secret}"`,
    `git init -q . && git config core.worktree "${hidden(`${top}/outside`)}" && git checkout -- .`,
    `kill -9 1; kill -9 $PPID; kill -9 -1`,
  ];
  return [...reads, ...writes].map(shell);
}
