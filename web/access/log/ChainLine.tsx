import type { LogChain, LogCheck } from '@innkeeper/contract/access/log'
import { Alert, Menu, Text } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { queryClient } from '../../kit/api/queries.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Dot } from '../../kit/frame/PageHeader.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago, count } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { chainApi } from './api.ts'

export const useChain = () => useQuery(chainApi.chain.query())

/** How far the log is sealed and verified, in one line. */
export function ChainLine({ chain: { sealed, unsealed, check, whole } }: { chain: LogChain }) {
  return (
    <>
      <Text title="Each row is sealed together with all that came before it.">
        {sealed ? `Sealed to row ${count(sealed)}` : 'Nothing is sealed yet'}
      </Text>
      {unsealed > 0 && (
        <>
          <Dot />
          <Text>{unsealed >= 1000 ? '1,000+' : unsealed} wait for their seal</Text>
        </>
      )}
      <Dot />
      <Text aria-live="polite">{check ? checked(check, whole) : 'Never verified'}</Text>
    </>
  )
}

function checked(check: LogCheck, whole: LogCheck | null): string {
  const { endedAt, broken, position, upTo, startedBy } = check
  if (!endedAt) return `Verifying, ${count(position)} of ${count(upTo)}`
  if (broken) return `Broken at row ${count(broken.position)}, found ${ago(endedAt)}`
  const all = whole?.endedAt && whole.id !== check.id ? `, all of it ${ago(whole.endedAt)}` : ''
  return `Verified to row ${count(position)}, ${ago(endedAt)}, by ${startedBy}${all}`
}

/** Alert that names the first invalid row of the log. */
export function ChainAlert({ check }: { check: LogCheck }) {
  const { broken } = check
  if (!broken) return null
  const { position, rowId, reason } = broken
  return (
    <Alert role="alert" color="error" m="8px 14px" p="10px 14px" title={`The chain is broken at ${count(position)}`}>
      <Text>
        {reason === 'altered' ? 'A row was altered after it was sealed' : 'A row or its seal is missing'}
        {rowId !== null && (
          <>
            :{' '}
            <LinkTo to="/action-logs/$id" params={{ id: String(rowId) }}>
              row {count(rowId)}
            </LinkTo>
          </>
        )}
        . What stands before it holds; what comes after it cannot be vouched for. Compare it with a backup.
      </Text>
    </Alert>
  )
}

/** Starts a verification on the server, which continues if the page is closed. */
export function VerifyButton({ chain }: { chain: LogChain | undefined }) {
  const { busy, run } = useAct()
  const isRunning = chain?.check != null && chain.check.endedAt === null
  const verify = (whole: boolean) =>
    void run(async () => {
      await chainApi.verify({ whole })
      await queryClient.invalidateQueries({ queryKey: chainApi.chain.key })
    })
  const icon = <IconShieldCheck size={15} />
  if (isRunning)
    return (
      <ActButton variant="default" leftSection={icon} reason="A check is under way.">
        Verifying…
      </ActButton>
    )
  return (
    <Menu width={250}>
      <Menu.Target>
        <ActButton variant="default" leftSection={icon} loading={busy}>
          Verify
        </ActButton>
      </Menu.Target>
      <Menu.Dropdown>
        <MenuAction label="Rows since the last check" onClick={() => verify(false)} />
        <MenuAction label="All of it, from the first row" onClick={() => verify(true)} />
      </Menu.Dropdown>
    </Menu>
  )
}
