import type { Website } from '@innkeeper/contract/hosting/websites'
import type { Workflow } from '@innkeeper/contract/machines/workflows'
import { Text, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Reading } from '../../../kit/frame/Reading.tsx'
import { Section, Split } from '../../../kit/frame/Section.tsx'
import { count, lasting, moment } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { workflowsApi } from '../../../machines/workflows/api.ts'
import { TimelineSection } from '../../../machines/workflows/TimelineSection.tsx'
import { useWorkflow } from '../../../machines/workflows/useLastWorkflow.ts'
import { WorkflowPane } from '../../../machines/workflows/WorkflowPane.tsx'
import css from './Workflows.module.css'

const MOST = 100

/** All workflows of a website, newest first, with the selected one beside them. */
export default function Workflows({ website }: { website: Website }) {
  const { data, error } = useQuery(
    workflowsApi.list.query({ subjectType: 'website', subjectId: website.id, itemsPerPage: MOST }),
  )
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const items = data?.items ?? []
  const chosen = items.find(({ id }) => String(id) === search.workflow) ?? items[0]
  const workflow = useWorkflow(chosen?.id)
  const choose = ({ id }: Workflow) =>
    void navigate({ to: '.', search: { tab: 'workflows', workflow: String(id) }, replace: true })
  return (
    <Split side={workflow && <WorkflowPane workflow={workflow} />}>
      <Section
        title="Workflows"
        hint={data && data.total > MOST ? `the newest ${MOST} of ${count(data.total)}` : 'newest first'}
        pad={false}
      >
        {items.map((item) => (
          <UnstyledButton
            key={item.id}
            className={css.row}
            aria-pressed={item.id === chosen?.id}
            onClick={() => choose(item)}
          >
            <Text span fw={500}>
              {item.title}
            </Text>
            <Text span c="dimmed" truncate className={css.wide}>
              {item.holder}
            </Text>
            <Text span c="dimmed" className={css.wide}>
              {moment(item.startedAt)}
            </Text>
            <Text span c="dimmed" className={`num ${css.wide}`} ta="right">
              {item.endedAt ? lasting(Date.parse(item.endedAt) - Date.parse(item.startedAt)) : ''}
            </Text>
            <StatusBadge state={item.status} />
          </UnstyledButton>
        ))}
        {items.length === 0 && (
          <Text c="dimmed" p={14}>
            {error?.message ?? (data ? 'No workflow has changed this website yet.' : <Reading />)}
          </Text>
        )}
      </Section>
      {workflow && <TimelineSection workflow={workflow} />}
    </Split>
  )
}
