import type { Template } from '@innkeeper/contract/net/dns/calls'
import { Alert, Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../../kit/api/client.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { confirm, errorDialog } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { dnsApi } from '../api.ts'
import { readLines, refusals, written } from './templateLines.ts'

/** Edits a template as lines of a zone file; without `template`, creates one. */
export default function TemplateEdit({ template, close }: { template?: Template; close: () => void }) {
  const before = { name: template?.name ?? '', text: template ? written(template.records) : '' }
  const [name, setName] = useState(before.name)
  const [text, setText] = useState(before.text)
  const [problems, setProblems] = useState<readonly string[]>([])
  const [refused, setRefused] = useState<string>()
  const [busy, setBusy] = useState(false)
  const leave = async () => {
    const question = {
      title: 'Leave without saving?',
      text: 'Your changes are not saved.',
      verb: 'Leave',
      danger: true,
    }
    if ((name === before.name && text === before.text) || (await confirm(question))) close()
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const read = readLines(text)
    setRefused(name.trim() ? undefined : 'Required')
    setProblems('problems' in read ? read.problems : [])
    if ('problems' in read || !name.trim()) return
    setBusy(true)
    try {
      const { records } = read
      await (template
        ? dnsApi.updateTemplate({ id: template.id, version: template.version, name, records })
        : dnsApi.addTemplate({ name, records }))
      toast.success(`${name} is saved`, 'Existing zones stay unchanged.')
      close()
    } catch (error) {
      const fields = error instanceof ApiError ? error.body.fields : undefined
      if (!fields) void errorDialog(error)
      setRefused(fields?.name)
      setProblems(fields ? refusals(text, fields) : [])
    } finally {
      setBusy(false)
      void readAgain(['dns'])
    }
  }
  return (
    <Modal opened onClose={() => void leave()} title={template ? 'Template' : 'New template'} size={680}>
      <form noValidate onSubmit={(event) => void save(event)}>
        <Stack gap={14}>
          <TextInput
            label="Name"
            withAsterisk
            data-autofocus
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={refused}
          />
          <Textarea
            label="Records"
            description="One a line: name, TTL, type, content. {domain} and {address} are filled in when a zone is added."
            placeholder={'@ 3600 A {address}\nwww 3600 CNAME {domain}.\n@ 3600 MX 10 mail.{domain}.'}
            autosize
            minRows={8}
            maxRows={18}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', whiteSpace: 'pre' } }}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={problems.length > 0}
          />
          {problems.length > 0 && (
            <Alert
              role="alert"
              color="error"
              p="10px 14px"
              title="Nothing was saved"
              style={{ whiteSpace: 'pre-wrap' }}
            >
              {problems.join('\n')}
            </Alert>
          )}
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={() => void leave()}>
              Cancel
            </Button>
            <Button type="submit" loading={busy}>
              Save template
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
