import { deleteShare, listShares } from "@massgen/export";
import { plainTable } from "@massgen/views";
import type { SharesRequest } from "../../args/export-request.js";
import type { ExitCode } from "../../exit.js";
import type { Io } from "../../io.js";
import { cells } from "../../output/columns.js";
import { visibleJson, visibleLine } from "../../output/visible-text.js";
import { ghOf } from "./gh.js";

/** `massgen shares`: the gists that `massgen export --gist` made, and no others. */
export async function manageShares(request: SharesRequest, io: Io): Promise<ExitCode> {
  const gh = ghOf(io);
  if (request.verb === "delete") {
    const { id, url } = await deleteShare(request.id, gh);
    io.out.write(request.json ? `${visibleJson({ deleted: id, url })}\n` : `Deleted ${visibleLine(url)}\n`);
    return 0;
  }
  const shares = await listShares(gh);
  if (request.json) io.out.write(`${visibleJson({ shares })}\n`);
  else if (shares.length === 0) io.err.write("massgen: note: there are no shares\n");
  else {
    const rows = shares.map(({ id, createdAt, files, description, url }) =>
      [id, createdAt.slice(0, 10), String(files), description, url].map(visibleLine),
    );
    io.out.write(
      plainTable(
        [{ title: "id" }, { title: "made" }, { title: "files", align: "right" }, { title: "what" }, { title: "address" }],
        rows,
        cells,
      ),
    );
  }
  return 0;
}
