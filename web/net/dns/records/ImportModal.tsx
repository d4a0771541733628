import type { ZoneView } from '@innkeeper/contract/net/dns/calls'
import { fullName } from '@innkeeper/contract/net/dns/names'
import { Alert, Button, Checkbox, FileButton, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { ApiError } from '../../../kit/api/client.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { toast } from '../../../kit/dialogs/toast.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted } from '../../../kit/look/format.ts'
import { useAct } from '../../../kit/look/useAct.ts'
import { dnsApi } from '../api.ts'
import { Diff } from '../Diff.tsx'
import { cellsOf, lineOf } from './draft.ts'
import { ForgottenDots } from './ForgottenDots.tsx'
import { SkippedLines } from './SkippedLines.tsx'

type Read = Awaited<ReturnType<typeof dnsApi.readFile>>
const SHOWN = 2000

/** Imports a zone file: shows the diff and the ignored records first, then saves one change. */
export default function ImportModal({ zone, close }: { zone: ZoneView; close: () => void }) {
  const [text, setText] = useState('')
  const [replace, setReplace] = useState(false)
  const [read, setRead] = useState<Read>()
  const [refused, setRefused] = useState<string>()
  const { busy, run } = useAct()
  const set = (next: { text?: string; replace?: boolean }) => {
    if (next.text !== undefined) setText(next.text)
    if (next.replace !== undefined) setReplace(next.replace)
    setRead(undefined)
    setRefused(undefined)
  }
  const look = () => run(async () => setRead(await dnsApi.readFile({ id: zone.id, text, replace })))
  const save = (found: Read) =>
    run(async () => {
      try {
        const gone = found.delete.map(({ id }) => id)
        await dnsApi.updateRecords({
          zoneId: zone.id,
          version: zone.version,
          kind: 'import',
          // whole names, because a stored name may look like the zone itself
          create: found.create.map((one) => ({ ...one, name: `${fullName(one.name, zone.domain)}.` })),
          delete: gone,
        })
        toast.success(`${counted(found.create.length, ['record is', 'records are'])} imported`)
        close()
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        setRefused([error.body.message].flat().join('\n'))
      } finally {
        void readAgain(['dns', 'workflows'])
      }
    })
  const lines = read && [
    ...read.delete.map((record) => `- ${lineOf(cellsOf(record))}`),
    ...read.create.map((record) => `+ ${lineOf(cellsOf({ ...record, id: 0 }))}`),
  ]
  return (
    <Dialog opened onClose={close} title={`Import into ${zone.domain}`} size={760}>
      <Stack gap={14}>
        <Textarea
          label="Zone file"
          description="As BIND, PowerDNS and others write it. SOA and signatures in it are left out."
          placeholder={`$ORIGIN ${zone.domain}.\nwww 3600 IN A 192.0.2.10`}
          autosize
          minRows={6}
          maxRows={12}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={text}
          onChange={(event) => set({ text: event.currentTarget.value })}
        />
        <Group justify="space-between">
          <Checkbox
            label="Delete records that are not in the file"
            checked={replace}
            onChange={(event) => set({ replace: event.currentTarget.checked })}
          />
          <FileButton onChange={(file) => void file?.text().then((content) => set({ text: content }))}>
            {(props) => (
              <Button {...props} size="xs" variant="default" leftSection={<IconFileUpload size={14} />}>
                Choose a file
              </Button>
            )}
          </FileButton>
        </Group>
        {refused && (
          <Alert
            role="alert"
            color="error"
            p="10px 14px"
            title="Nothing was imported"
            style={{ whiteSpace: 'pre-wrap' }}
          >
            {refused}
          </Alert>
        )}
        {read && <ForgottenDots entries={read.create} zone={zone.domain} />}
        {read && <SkippedLines skipped={read.skipped} />}
        {lines && lines.length > 0 && <Diff lines={lines.slice(0, SHOWN)} label="Changes" />}
        {lines?.length === 0 && <Text c="dimmed">The zone has all of that already.</Text>}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          {read && lines && lines.length > 0 ? (
            <Button loading={busy} onClick={() => void save(read)}>
              Import {counted(lines.length, ['change', 'changes'])}
            </Button>
          ) : (
            <ActButton
              loading={busy}
              reason={text.trim() ? undefined : 'Choose or paste a zone file first.'}
              onClick={() => void look()}
            >
              Look at changes
            </ActButton>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}
