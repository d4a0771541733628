import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { confirmByName } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Facts, Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { count, counted } from '../../../kit/look/format.ts'
import { useAct } from '../../../kit/look/useAct.ts'
import { qcCustomersApi } from '../api.ts'

type Counts = Awaited<ReturnType<typeof qcCustomersApi.eraseCustomer>>
type Found = Counts & { email: string }

const some = (n: number) => (n < 1000 ? count(n) : '1,000 or more')

/** Saves all stored data about an address as a file, read page by page. */
async function exportOf(email: string): Promise<number> {
  const items: unknown[] = []
  for (let after: number | null | undefined; after !== null; ) {
    const page = await qcCustomersApi.exportCustomer({ email, ...(after !== undefined && { after }) })
    items.push(...page.items)
    after = page.after
  }
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([JSON.stringify(items, null, 2)], { type: 'application/json' }))
  link.download = 'customer.json'
  link.click()
  URL.revokeObjectURL(link.href)
  return items.length
}

/** Requests of customers under data protection law: what is stored about an address, and its removal. */
export default function CustomersScreen() {
  const [email, setEmail] = useState('')
  const [found, setFound] = useState<Found>()
  const { busy, run } = useAct()
  const lacking = useReason()
  const isStored = found?.places.some(({ rows }) => rows > 0) === true
  const look = () =>
    run(async () => {
      const asked = email.trim()
      const counts = await attempt(() => qcCustomersApi.eraseCustomer({ email: asked, isDryRun: true }), [])
      if (counts) setFound({ email: asked, ...counts })
    })
  const download = ({ email: of }: Found) =>
    run(async () => {
      const n = await exportOf(of)
      toast.success(`${counted(n, ['conversation', 'conversations'])} saved as customer.json`)
    })
  const erase = ({ email: of, places }: Found) =>
    run(async () => {
      const sure = await confirmByName({
        title: `Remove the data of ${of}?`,
        name: of,
        verb: 'Remove customer data',
        goes: [
          'Name, address and every text of and about the conversations, also what agents and reviewers wrote',
          ...places.filter(({ rows }) => rows > 0).map(({ place, rows }) => `${place}: ${count(rows)}`),
        ],
        stays: 'Scores, and which messages they point at. An import never restores the texts. There is no undo.',
      })
      if (!sure) return
      const done = await attempt(() => qcCustomersApi.eraseCustomer({ email: of }), ['qc'])
      if (!done) return
      toast.success('The customer’s data is removed', `${counted(done.messages, ['message', 'messages'])} emptied.`)
      setFound(undefined)
      setEmail('')
    })
  return (
    <Screen>
      <Stack gap={16} maw={640}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void look()
          }}
        >
          <Group align="end" gap={8}>
            <TextInput
              label="Address of the customer"
              type="email"
              placeholder="name@example.org"
              autoComplete="off"
              flex={1}
              value={email}
              onChange={(event) => {
                setEmail(event.currentTarget.value)
                setFound(undefined)
              }}
            />
            <ActButton
              type="submit"
              variant={found ? 'default' : 'filled'}
              reason={email.trim() ? undefined : 'Type an address first.'}
              loading={busy && !found}
            >
              Look up
            </ActButton>
          </Group>
        </form>
        {found && !isStored && (
          <Text c="dimmed">
            Nothing is stored about {found.email}. The address may be written differently in the help desk.
          </Text>
        )}
        {found && isStored && (
          <Section title={found.email}>
            <Stack gap={14}>
              <Facts
                of={found.places
                  .filter(({ rows }) => rows > 0)
                  .map(({ place, rows }): [string, string] => [place, count(rows)])}
              />
              <Group gap={8}>
                <ActButton
                  variant="default"
                  reason={lacking(qcCustomersApi.exportCustomer)}
                  loading={busy}
                  onClick={() => void download(found)}
                >
                  Save a copy
                </ActButton>
                <Button variant="default" c="var(--mantine-color-error-text)" onClick={() => void erase(found)}>
                  Remove…
                </Button>
              </Group>
            </Stack>
          </Section>
        )}
        {found && (
          <Section title="Stays, for people to decide">
            <Stack gap={6}>
              {found.stays
                .filter(({ rows }) => rows > 0)
                .map(({ place, rows, why }) => (
                  <Text key={place} fz="sm">
                    {place}: {some(rows)}.{' '}
                    <Text span c="dimmed">
                      {why}.
                    </Text>
                  </Text>
                ))}
            </Stack>
          </Section>
        )}
        <Text c="dimmed" fz="xs">
          Queue settings can remove customers’ data automatically after some days. The action log names the number of
          conversations, never the address.
        </Text>
      </Stack>
    </Screen>
  )
}
