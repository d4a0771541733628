import type { CopyReport, Staging } from '@innkeeper/contract/hosting/stagings/shapes'
import type { Website } from '@innkeeper/contract/hosting/websites'
import { Group, List, Text } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Facts } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago, bytes, counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import css from '../databases/Databases.module.css'
import { stagingsApi } from './api.ts'
import { Mailed } from './Mailed.tsx'
import { MergeDialog } from './MergeDialog.tsx'

/** A staging copy: its date, its report, and the merge into the live website. */
export function OneStaging({ staging, of }: { staging: Staging; of: Website }) {
  const { website, liveId, liveDomain, copiedAt, report, databases } = staging
  const lacking = useReason()
  const [merging, setMerging] = useState(false)
  const isCopy = of.id === website.id
  const other = isCopy ? { id: liveId, domain: liveDomain } : website
  const busy =
    website.status !== 'active'
      ? `${website.domain} is ${website.status}.`
      : copiedAt
        ? undefined
        : `${website.domain} is not a whole copy yet.`
  return (
    <section className={css.database} aria-label={website.domain}>
      <div className={css.head}>
        <Group gap={10}>
          {isCopy && <Text>A copy of</Text>}
          <LinkTo to="/websites/$id" params={{ id: String(other.id) }}>
            <Mono>{other.domain}</Mono>
          </LinkTo>
          {!isCopy && <StatusBadge state={website.status} />}
        </Group>
        <ActButton size="xs" reason={lacking(stagingsApi.merge) ?? busy} onClick={() => setMerging(true)}>
          Merge into {liveDomain}…
        </ActButton>
      </div>
      <Facts
        of={[
          ['Copied', copiedAt ? `${ago(copiedAt)}${report ? `, ${sizeOf(report)}` : ''}` : 'not yet'],
          ...(databases.length
            ? [
                ['Databases', databases.map(({ name, liveName }) => `${name}, of ${liveName}`).join('; ')] as [
                  string,
                  string,
                ],
              ]
            : []),
          ['Hidden', 'search engines are asked not to index it'],
          ['Mail', <Mailed key="mail" staging={staging} />],
        ]}
      />
      {report && <Report report={report} />}
      {merging && <MergeDialog staging={staging} close={() => setMerging(false)} />}
    </section>
  )
}

const sizeOf = ({ files, bytes: size }: CopyReport) => `${counted(files, ['file', 'files'])}, ${bytes(size)}`

/** The report of the copy: changed files, proposals, skipped files and parts. */
function Report({ report: { changed, proposals, left, leftOut } }: { report: CopyReport }) {
  return (
    <>
      <Lines
        title="Changed to use its own database"
        lines={changed.map(({ file, application }) => `${file} (${application})`)}
      />
      <Lines
        title="Unchanged, and still names the live database"
        lines={proposals.map(({ file, line, what }) => `${file}, line ${line}: ${what}`)}
      />
      <Lines title={`Left out: ${leftOut}`} lines={left.map(({ path, why }) => `${path} ${why}`)} />
    </>
  )
}

const Lines = ({ title, lines }: { title: string; lines: string[] }) =>
  lines.length > 0 && (
    <>
      <Text fz="xs" fw={600} mt={10}>
        {title}
      </Text>
      <List size="xs" spacing={2}>
        {lines.slice(0, 20).map((line) => (
          <List.Item key={line} style={{ overflowWrap: 'anywhere' }}>
            {line}
          </List.Item>
        ))}
        {lines.length > 20 && <List.Item>and {lines.length - 20} more</List.Item>}
      </List>
    </>
  )
