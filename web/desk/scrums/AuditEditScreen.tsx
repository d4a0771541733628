import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { readAgain } from '../../kit/api/readAgain.ts'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { AuditForm } from './AuditForm.tsx'
import { AuditView } from './AuditView.tsx'
import { scrumsApi } from './api.ts'
import { periodWords, statusMarks, statusWords } from './words.ts'

export default numbered('auditId', AuditEditScreen)

/** Shows auditors their own draft as a form, and every other audit as text. */
function AuditEditScreen({ id }: { id: number }) {
  const query = useQuery(scrumsApi.audit.query({ id }))
  const act = useAct()
  const audit = query.data
  if (!audit) return <Screen query={query}>{null}</Screen>
  if (audit.mayEdit && audit.status === 'draft') return <AuditForm key={audit.status} audit={audit} />
  const takeBack = () =>
    act.run(async () => {
      await scrumsApi.updateAudit({ id, status: 'draft', version: audit.version })
      await readAgain(['scrums'])
    })
  return (
    <Screen
      title={audit.name}
      meta={
        <>
          <StatusBadge pill state={statusMarks[audit.status]} label={statusWords[audit.status]} />
          <Text c="dimmed">
            {audit.user.name}, {periodWords(audit)}
          </Text>
        </>
      }
      actions={
        audit.mayEdit && (
          <Button variant="default" loading={act.busy} onClick={() => void takeBack()}>
            Take back
          </Button>
        )
      }
    >
      <AuditView audit={audit} />
    </Screen>
  )
}
