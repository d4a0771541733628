import type { Finding } from '@innkeeper/contract/hosting/moves/shapes'
import type { Output } from '@innkeeper/contract/kit/endpoint'
import { Select } from '@mantine/core'
import type { FieldProps } from '../../../kit/form/useCallForm.ts'
import { bytes } from '../../../kit/look/format.ts'
import type { movesApi } from '../api.ts'
import { Findings, summary } from './Findings.tsx'

type Looked = Output<(typeof movesApi.preflight)['endpoint']>

/** A new account, or one of the owner. Websites of one account can read and write each other's files. */
export function AccountField({
  account,
  accounts,
}: {
  account: FieldProps<number | undefined>
  accounts: Looked['accounts']
}) {
  if (!accounts.length) return null
  return (
    <Select
      label="Account"
      description="Websites of one account can read and write each other's files, and share SFTP"
      allowDeselect={false}
      data={[
        { value: '', label: 'A new account, for this website alone' },
        ...accounts.map(({ id, username, domains }) => ({
          value: String(id),
          label: domains.length ? `${username}, with ${domains.join(', ')}` : `${username}, without a website`,
        })),
      ]}
      value={account.value === undefined ? '' : String(account.value)}
      onChange={(id) => account.onChange(id ? Number(id) : undefined)}
      error={account.error}
    />
  )
}

/** Preflight of each member of a group, blocked members first. */
export function Members({ members }: { members: Looked['members'] }) {
  const [only] = members
  if (members.length === 1 && only) return <Findings findings={only.findings} />
  const worst = (findings: readonly Finding[]) => findings.filter(({ level }) => level === 'blocker').length
  return members
    .toSorted((a, b) => worst(b.findings) - worst(a.findings))
    .map(({ websiteId, domain, findings, bytes: size }) => (
      <Findings
        key={websiteId}
        title={domain}
        findings={findings}
        hint={`${summary(findings)}${size === null ? '' : `, ${bytes(size)}`}`}
      />
    ))
}
