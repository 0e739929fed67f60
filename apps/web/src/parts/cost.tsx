import { budgetShares, costReport, formatAmount, formatCost, formatCount, type RunView } from "@massgen/views";
import { useText } from "../text/texts.js";

/** Where tokens and money went, and how much of each limit is used. */
export function Cost({ view }: { readonly view: RunView }) {
  const t = useText();
  const { total, agents } = costReport(view);
  const rows = [...Object.entries(agents).map(([id, spent]) => ({ id, name: id, spent })), { id: "", name: t("cost.total"), spent: total }];
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <div className="wide" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t("cost.agent")}</th>
              <th scope="col">{t("cost.requests")}</th>
              <th scope="col">{t("cost.input")}</th>
              <th scope="col">{t("cost.output")}</th>
              <th scope="col">{t("cost.money")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, name, spent }) => (
              <tr key={id}>
                <th scope="row">{name}</th>
                <td>{formatCount(spent.api_calls)}</td>
                <td>{formatCount(spent.input_tokens)}</td>
                <td>{formatCount(spent.output_tokens)}</td>
                <td>{spent.estimated_cost === null ? t("cost.unknown") : formatCost(spent.estimated_cost)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Budget view={view} />
    </>
  );
}

/** A bar for every limit that is set. */
export function Budget({ view }: { readonly view: RunView }) {
  const t = useText();
  const { spending } = view.state;
  const shares = budgetShares(spending);
  if (shares.length === 0) return null;
  return (
    <ul className="budget">
      {shares.map(({ agent, unit, used, limit, share }) => (
        <li key={`${agent} ${unit}`}>
          <label>
            {agent ?? t("budget.run")}: {formatAmount(used, unit)} / {formatAmount(limit, unit)} ({Math.floor(share * 100)} %)
            <meter value={share} high={spending.limits?.warnAt ?? 1} max={1} />
          </label>
        </li>
      ))}
    </ul>
  );
}
