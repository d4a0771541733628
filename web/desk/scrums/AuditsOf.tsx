import type { DevAudit } from '@innkeeper/contract/desk/scrums/shapes'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Section } from '../../kit/frame/Section.tsx'
import { SectionTable, type TableColumn } from '../../kit/look/SectionTable.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { scrumsApi } from './api.ts'
import { percent, periodWords, statusMarks, statusWords } from './words.ts'

const MOST = 100

const columnsOf = (own: boolean): TableColumn<DevAudit>[] => [
  {
    title: 'Audit',
    cell: ({ id, name }) =>
      own ? (
        <LinkTo to="/scrums/my" search={{ audit: String(id) }}>
          {name}
        </LinkTo>
      ) : (
        <LinkTo to="/scrums/edit/audits/$auditId" params={{ auditId: String(id) }}>
          {name}
        </LinkTo>
      ),
  },
  { title: 'Period', width: 220, cell: (audit) => <Text c="dimmed">{periodWords(audit)}</Text> },
  { title: 'Auditor', width: 170, cell: ({ auditor }) => auditor.name },
  {
    title: 'Status',
    width: 150,
    cell: ({ status }) => <StatusBadge state={statusMarks[status]} label={statusWords[status]} />,
  },
  { title: 'Total', align: 'right', width: 90, cell: ({ total }) => <span className="num">{percent(total)}</span> },
]

/** The audits of a person, newest first. */
export function AuditsOf({ id, own = false }: { id: number; own?: boolean }) {
  const { data } = useQuery(scrumsApi.auditsOf.query({ id, itemsPerPage: MOST }))
  return (
    <Section title="Audits" pad={false}>
      {data && (
        <SectionTable
          label="Audits"
          columns={columnsOf(own)}
          rows={data.items}
          keyOf={(audit) => audit.id}
          empty="No audit can be shown."
        />
      )}
    </Section>
  )
}
