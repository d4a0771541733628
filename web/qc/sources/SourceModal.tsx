import type { Source } from '@innkeeper/contract/qc/sourceShapes'
import {
  Button,
  CopyButton,
  Group,
  Modal,
  NumberInput,
  PasswordInput,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { useState } from 'react'
import { readAgain } from '../../kit/api/readAgain.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { qcSourcesApi } from '../api.ts'
import { typeNames } from './words.ts'

const hints = {
  json: undefined,
  rt: { url: 'https://help.example.org/rt', user: 'User', queue: 'Only this queue' },
  xmpp: { url: 'xmpp://chat.example.org:5222', user: 'Account (name@domain)', queue: 'Only talks with' },
} as const
type Type = keyof typeof hints

const hostOf = (url = '') => (URL.canParse(url) ? new URL(url).host : url)

/** Creates or changes a source. For JSON lines, the key that signs them is shown once. */
export function SourceModal({ close, source }: { close: () => void; source?: Source }) {
  const [type, setType] = useState<Type>(source?.type ?? 'rt')
  const { url: at = '', user: as = '', queue: only = '' } = source?.config ?? {}
  const [values, setValues] = useState({ name: source?.name ?? '', url: at, user: as, queue: only, secret: '' })
  const [minutes, setMinutes] = useState(source?.everyMinutes ?? 10)
  const [key, setKey] = useState<string>()
  const { busy, run } = useAct()
  const hint = hints[type]
  const field = (name: 'name' | 'url' | 'user' | 'queue') => ({
    value: values[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
  })
  // a stored password is only sent to the host that it was entered for
  const needsSecret = !source || hostOf(values.url) !== hostOf(at)
  const isReady = values.name.trim() !== '' && (!hint || (values.url !== '' && !(needsSecret && values.secret === '')))
  const save = () =>
    run(async () => {
      const { name, secret, url, user, queue } = values
      const config = { url, user, queue }
      if (source) {
        const asked = hint && { config, everyMinutes: minutes, ...(secret && { secret }) }
        await qcSourcesApi.updateSource({ id: source.id, version: source.version, name, ...asked })
        await readAgain(['qc'])
        return close()
      }
      const made = await qcSourcesApi.createSource({
        name,
        type,
        ...(hint && { config, secret, everyMinutes: minutes }),
      })
      await readAgain(['qc'])
      if (hint) close()
      else setKey(made.key)
    })
  return (
    <Modal opened onClose={close} title={source ? `Change ${source.name}` : 'Create source'}>
      {key ? (
        <Stack gap={14}>
          <Text>Sign each import with this key. It is shown once.</Text>
          <Mono>{key}</Mono>
          <Group justify="flex-end">
            <CopyButton value={key}>
              {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy key'}</Button>}
            </CopyButton>
          </Group>
        </Stack>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            if (isReady) void save()
          }}
        >
          <Stack gap={14}>
            <TextInput label="Name" required data-autofocus {...field('name')} />
            <Select
              label="What it is"
              allowDeselect={false}
              disabled={source !== undefined}
              data={Object.entries(typeNames).map(([value, label]) => ({ value, label }))}
              value={type}
              onChange={(next) => setType(next === 'json' || next === 'xmpp' ? next : 'rt')}
            />
            {hint && (
              <>
                <TextInput label="Address" required placeholder={hint.url} {...field('url')} />
                <TextInput
                  label={hint.user}
                  description={type === 'rt' ? 'Empty: the password is a token' : undefined}
                  required={type === 'xmpp'}
                  {...field('user')}
                />
                <PasswordInput
                  label="Password or token"
                  required={needsSecret}
                  placeholder={needsSecret ? '' : 'Stored; empty keeps it'}
                  autoComplete="off"
                  value={values.secret}
                  onChange={(event) => setValues({ ...values, secret: event.currentTarget.value })}
                />
                <TextInput label={hint.queue} {...field('queue')} />
                <NumberInput
                  label="Asked every, minutes"
                  min={1}
                  max={1440}
                  allowDecimal={false}
                  value={minutes}
                  onChange={(next) => setMinutes(Number(next) || 1)}
                />
                {source && values.url !== at && (
                  <Text c="dimmed" fz="xs">
                    Another address is imported from its beginning. Imported items stay.
                  </Text>
                )}
              </>
            )}
            <Group justify="flex-end" gap={8}>
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={busy} disabled={!isReady}>
                {source ? 'Save source' : 'Create source'}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  )
}
