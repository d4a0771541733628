import type { ArchiveImportView } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { Stack, Text } from '@mantine/core'
import { IconCheck, IconPlayerPause, IconPlayerPlay, IconPrinter, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Dot } from '../../kit/frame/PageHeader.tsx'
import { PageMenu } from '../../kit/frame/PageMenu.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { Section, Split } from '../../kit/frame/Section.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { workflowsApi } from '../../machines/workflows/api.ts'
import { WorkflowPane } from '../../machines/workflows/WorkflowPane.tsx'
import { acceptImport, removeImport, rollBackImport, whyStays } from './acts.ts'
import { archiveImportsApi } from './api.ts'
import { CutOver } from './CutOver.tsx'
import { LateMail } from './LateMail.tsx'
import { PlanForm } from './PlanForm.tsx'
import { PlanLines } from './PlanLines.tsx'
import { Passwords } from './passwords/Passwords.tsx'
import { Report } from './Report.tsx'
import { fileOf, formats, isOpen, touched } from './words.ts'

const PrintPlan = lazyPart(
  () => import('./PrintPlan.tsx'),
  () => null,
)

export default numbered('id', ImportScreen)

function ImportScreen({ id }: { id: number }) {
  const query = useQuery(archiveImportsApi.one.query({ id }))
  const one = query.data
  return (
    <Screen
      query={query}
      title={one ? fileOf(one) : 'Import'}
      mono={one !== undefined}
      badge={one && <StatusBadge pill state={one.paused ? 'paused' : one.status} />}
      meta={one && <Meta one={one} />}
      actions={one && <Acts one={one} />}
    >
      {one && (
        <Beside one={one}>
          <Stack gap={16}>
            {one.reason && (
              <Section title={one.status === 'unreadable' ? 'Why it cannot be read' : 'Why it stopped'}>
                <Text>{one.reason}</Text>
              </Section>
            )}
            {isOpen(one) && one.inventory && <PlanForm one={one} />}
            {(one.status === 'done' || one.status === 'verified') && <CutOver one={one} />}
            {one.status === 'done' && one.made.mailboxes.length > 0 && <LateMail one={one} />}
            {!isOpen(one) && one.passwords.length > 0 && <Passwords one={one} />}
            {one.report && <Report lines={one.report} />}
            {!isOpen(one) && one.plan && (
              <Section title="Plan" hint="as it was started" pad={false}>
                <PlanLines lines={one.plan} />
              </Section>
            )}
          </Stack>
        </Beside>
      )}
    </Screen>
  )
}

/** The workflow beside the content, once there is one that people wait for. */
const Beside = ({ one, children }: { one: ArchiveImportView; children: ReactNode }) =>
  one.workflowId === null || isOpen(one) ? (
    children
  ) : (
    <Split side={<Work id={one.workflowId} />} sideLast>
      {children}
    </Split>
  )

const Meta = ({ one }: { one: ArchiveImportView }) => (
  <>
    <Mono>{one.serverName}</Mono>
    {one.format && (
      <>
        <Dot />
        <Text>
          {formats[one.format]}, account <Mono>{one.account}</Mono>
        </Text>
      </>
    )}
    <Dot />
    <Text>
      {ago(one.createdAt)} by {one.by}
    </Text>
    {one.status !== 'rolled-back' &&
      one.made.websites.slice(0, 3).map(({ id, domain }) => (
        <LinkTo key={id} to="/websites/$id" params={{ id: String(id) }}>
          {domain}
        </LinkTo>
      ))}
  </>
)

function Acts({ one }: { one: ArchiveImportView }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const { busy, run } = useAct()
  const [prints, setPrints] = useState(false)
  const mayUndo = one.status === 'verified' || one.status === 'failed' || one.paused
  const remove = async () => {
    if (await removeImport(one)) void navigate({ to: '/archive-imports' })
  }
  return (
    <>
      {mayUndo && (
        <ActButton
          variant="default"
          color="error"
          reason={lacking(archiveImportsApi.rollBack)}
          onClick={() => void rollBackImport(one)}
        >
          Roll back…
        </ActButton>
      )}
      {one.status === 'importing' && !one.undoing && (
        <ActButton
          variant={one.paused ? undefined : 'default'}
          loading={busy}
          leftSection={one.paused ? <IconPlayerPlay size={15} /> : <IconPlayerPause size={15} />}
          reason={lacking(one.paused ? archiveImportsApi.resume : archiveImportsApi.pause)}
          onClick={() =>
            void run(() =>
              attempt(() => (one.paused ? archiveImportsApi.resume : archiveImportsApi.pause)({ id: one.id }), touched),
            )
          }
        >
          {one.paused ? 'Resume' : 'Pause'}
        </ActButton>
      )}
      {one.status === 'verified' && (
        <ActButton
          leftSection={<IconCheck size={15} />}
          reason={lacking(archiveImportsApi.accept)}
          onClick={() => void acceptImport(one)}
        >
          Accept…
        </ActButton>
      )}
      <PageMenu>
        <MenuAction
          label="Print"
          icon={<IconPrinter size={15} />}
          reason={one.plan ? undefined : 'Nothing was imported yet.'}
          onClick={() => setPrints(true)}
        />
        <MenuAction
          label="Delete…"
          danger
          icon={<IconTrash size={15} />}
          reason={lacking(archiveImportsApi.remove) ?? whyStays(one)}
          onClick={() => void remove()}
        />
      </PageMenu>
      {prints && <PrintPlan one={one} done={() => setPrints(false)} />}
    </>
  )
}

function Work({ id }: { id: number }) {
  const { data } = useQuery(workflowsApi.one.query({ id }))
  return data ? <WorkflowPane workflow={data} /> : null
}
