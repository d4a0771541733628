import type { Merge } from '@innkeeper/contract/hosting/stagings/shapes'
import { Group, Text } from '@mantine/core'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago, counted, longDay } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import css from '../databases/Databases.module.css'
import { stagingsApi } from './api.ts'

/** Merges into the live website, newest first. The last one can be reverted while its snapshot is kept. */
export function Merges({ merges }: { merges: Merge[] }) {
  const lacking = useReason()
  return (
    <Section title="Merges" pad={false}>
      {merges.map((merge) => (
        <div key={merge.id} className={css.database}>
          <div className={css.head} style={{ marginBottom: 2 }}>
            <Group gap={10}>
              <Text>
                {what(merge)}, from {merge.stagingDomain}
              </Text>
              <StatusBadge state={merge.status} />
            </Group>
            <ActButton
              size="xs"
              variant="default"
              reason={
                lacking(stagingsApi.revert) ?? (merge.notRevertible === null ? undefined : `${merge.notRevertible}.`)
              }
              onClick={() => void revert(merge)}
            >
              Revert…
            </ActButton>
          </div>
          <Text c="dimmed" fz="xs">
            {ago(merge.at)} by {merge.by}. The former content is kept until {longDay(merge.keptUntil)}.
            {merge.notRevertible !== null && ` ${merge.notRevertible}.`}{' '}
            {unsettled.includes(merge.status) && merge.workflowId !== null && (
              <LinkTo
                to="/websites/$id"
                params={{ id: `${merge.websiteId}` }}
                search={{ tab: 'workflows', workflow: `${merge.workflowId}` }}
                fz="xs"
              >
                Open the task
              </LinkTo>
            )}
          </Text>
        </div>
      ))}
    </Section>
  )
}

const unsettled: readonly Merge['status'][] = ['merging', 'failed', 'reverting']

function what({ files, paths, tables }: Merge): string {
  const chosen = tables.map(({ name, tables: some }) =>
    some === 'all' ? `all of ${name}` : `${counted(some.length, ['table', 'tables'])} of ${name}`,
  )
  const taken = paths ? (paths.length === 1 ? paths[0] : `${paths.length} files and folders`) : 'files'
  const parts = [...(files ? [taken ?? 'files'] : []), ...chosen]
  const text = parts.join(', ')
  return paths?.length === 1 ? text : text.charAt(0).toUpperCase() + text.slice(1)
}

/** Files come along, rows cannot. */
function lost({ files, tables }: Merge): string {
  const kept = 'Files that visitors have added or changed since come along, unless the merge had changed the same file'
  const rows = 'What visitors have written to these tables since is lost'
  return [...(files ? [kept] : []), ...(tables.length ? [rows] : [])].join('. ')
}

async function revert(merge: Merge): Promise<void> {
  const { id, at, stagingDomain, formerDomain } = merge
  const sure = await confirm({
    title: `Revert the merge of ${stagingDomain}?`,
    text: `${what(merge)}: the state before the merge, ${ago(at)}, comes back. ${lost(merge)}; everything else stays. Visitors read “Back in a moment” until the revert is complete.${
      formerDomain === null
        ? ''
        : ` The website was called ${formerDomain} then, and files and tables may contain that name: replace it in the databases afterwards.`
    }`,
    verb: 'Revert merge',
    danger: true,
  })
  if (!sure) return
  const begun = await attempt(() => stagingsApi.revert({ id }), ['websites', 'workflows'])
  if (begun) toast.info(`${begun.data.domain} returns to its state before the merge`)
}
