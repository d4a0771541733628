import type { Mailbox } from '@innkeeper/contract/net/mailboxes/calls'
import { type CsvLook, MOST_CSV_TEXT } from '@innkeeper/contract/net/mailboxes/mailCsv'
import { Alert, Button, FileInput, Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../kit/api/client.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { Dialog } from '../../kit/dialogs/Dialog.tsx'
import { toast } from '../../kit/dialogs/toast.ts'
import { chosenText } from '../../kit/form/chosenText.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { CodeBlock } from '../../kit/look/CodeBlock.tsx'
import { counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { domains } from './acts.ts'
import { mailboxesApi } from './api.ts'
import css from './Mailboxes.module.css'
import { size } from './words.ts'

type Made = { address: string; password: string | null }[]
const words = { given: 'password as given', hash: 'password as hash', chosen: 'Innkeeper chooses a password' } as const

/** Creates many mailboxes from a CSV, after a look at what it contains. */
export default function CsvModal({ mailbox: { id, domain }, close }: { mailbox: Mailbox; close: () => void }) {
  const [csv, setCsv] = useState('')
  const [found, setFound] = useState<CsvLook>()
  const [made, setMade] = useState<Made>()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const act = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setError(thrown.message)
    } finally {
      setBusy(false)
    }
  }
  const type = (text: string) => {
    setCsv(text)
    setFound(undefined)
  }
  const choose = async (file: File | null) => {
    const text = file && (await chosenText(file, MOST_CSV_TEXT))
    if (typeof text === 'string') type(text)
  }
  const look = () => act(async () => setFound(await mailboxesApi.lookAtCsv({ id, csv })))
  const create = () =>
    act(async () => {
      const { created } = await mailboxesApi.addCsv({ id, csv })
      void readAgain(domains)
      toast.info(`Creating ${counted(created.length, ['mailbox', 'mailboxes'])}`)
      const chosen = created.filter(({ password }) => password !== null)
      if (chosen.length) setMade(chosen)
      else close()
    })
  if (made) return <Passwords made={made} close={close} />
  const isReady = found !== undefined && !found.errors.length && found.items.length > 0
  return (
    <Dialog opened onClose={close} title={`Mailboxes of ${domain} from a CSV`} size={720} closeOnClickOutside={false}>
      <Stack gap={14}>
        <Text c="dimmed" fz="xs">
          The first line names the columns: <Mono>address,password,name,quota</Mono>. Only the address is required. A
          password may be a hash as panels export it; without one, Innkeeper chooses a password. The quota is in MB.
        </Text>
        <FileInput
          label="File"
          accept=".csv,text/csv,text/plain"
          placeholder="Choose a file"
          onChange={(file) => void choose(file)}
        />
        <Textarea
          label="CSV"
          autosize
          minRows={5}
          maxRows={10}
          value={csv}
          error={error}
          spellCheck={false}
          onChange={(event) => type(event.currentTarget.value)}
        />
        {found && <Found found={found} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          {isReady ? (
            <Button loading={busy} onClick={() => void create()}>
              Create {counted(found.items.length, ['mailbox', 'mailboxes'])}
            </Button>
          ) : (
            <ActButton
              loading={busy}
              reason={csv.trim() ? undefined : 'Choose or paste a file first.'}
              onClick={() => void look()}
            >
              Check
            </ActButton>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}

const Found = ({ found: { items, errors } }: { found: CsvLook }) => (
  <>
    {errors.length > 0 && (
      <Alert color="danger" title="Nothing can be created yet">
        {errors.map(({ line, text }) => (
          <Text key={`${line} ${text}`} fz="xs">
            Line {line}: {text}
          </Text>
        ))}
      </Alert>
    )}
    <div style={{ maxHeight: 260, overflowY: 'auto' }}>
      {items.map(({ line, address, name, quotaMb, password }) => (
        <div key={line} className={css.line}>
          <div className={css.grow}>
            <Text fw={450}>{address}</Text>
            <Text c="dimmed" fz="xs">
              {[name, size(quotaMb), words[password]].filter(Boolean).join(' · ')}
            </Text>
          </div>
        </div>
      ))}
    </div>
  </>
)

const Passwords = ({ made, close }: { made: Made; close: () => void }) => (
  <Dialog opened onClose={close} title="Passwords of the new mailboxes" size={560} closeOnClickOutside={false}>
    <Stack gap={14}>
      <Text>Mail programs sign in with the whole address. The passwords are not shown again.</Text>
      <CodeBlock label="passwords">
        {made.map(({ address, password }) => `${address} ${password}`).join('\n')}
      </CodeBlock>
      <Group justify="flex-end">
        <Button onClick={close}>Done</Button>
      </Group>
    </Stack>
  </Dialog>
)
