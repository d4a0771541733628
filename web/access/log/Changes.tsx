import { VisuallyHidden } from '@mantine/core'
import { type Change, changesOf } from './changes.ts'
import css from './log.module.css'
import { fieldLabel } from './words.ts'

/** Values before and after, field by field; signs mark changes too, because colour alone is not accessible. */
export function Changes({ before, after }: { before: unknown; after: unknown }) {
  const changes = changesOf(before, after)
  const onlyAfter = changes.every(({ kind }) => kind === 'added')
  const onlyBefore = changes.every(({ kind }) => kind === 'removed')
  return (
    <table className={css.changes}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          {!onlyAfter && <th scope="col">Before</th>}
          {!onlyBefore && <th scope="col">After</th>}
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.field}>
            <th scope="row">{fieldLabel(change.field)}</th>
            {!onlyAfter && <td className={css.value}>{change.kind !== 'added' && <Before change={change} />}</td>}
            {!onlyBefore && <td className={css.value}>{change.kind !== 'removed' && <After change={change} />}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Before = ({ change: { kind, before, items } }: { change: Change }) => (
  <span className={kind === 'changed' ? css.gone : undefined}>
    {kind === 'changed' && <Sign of="−" says="was" />}
    {items ? items.gone.join('\n') || 'nothing taken out' : before}
  </span>
)
const After = ({ change: { kind, after, items } }: { change: Change }) => (
  <span className={kind === 'changed' ? css.come : undefined}>
    {kind === 'changed' && <Sign of="+" says="is" />}
    {items ? items.come.join('\n') || 'nothing put in' : after}
  </span>
)

const Sign = ({ of, says }: { of: string; says: string }) => (
  <>
    <span aria-hidden>{of} </span>
    <VisuallyHidden>{says} </VisuallyHidden>
  </>
)
