import type { Source } from '@innkeeper/contract/quality/qc/sourceShapes'
import { sourceTypes } from '@innkeeper/contract/quality/qc/values'
import { Button, CopyButton, Group, NumberInput, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { Dialog } from '../../../kit/dialogs/Dialog.tsx'
import { FormNotes } from '../../../kit/form/FormNotes.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { Mono } from '../../../kit/look/Mono.tsx'
import { qcSourcesApi } from '../api.ts'
import { typeNames } from './words.ts'

const hints = {
  json: undefined,
  rt: { url: 'https://help.example.org/rt', user: 'User', queue: 'Only this queue' },
  xmpp: { url: 'xmpp://chat.example.org:5222', user: 'Account (name@domain)', queue: 'Only talks with' },
  zammad: { url: 'https://zammad.example.org', user: 'User', queue: 'Only this group' },
  chatwoot: { url: 'https://chat.example.org', user: 'Number of the account', queue: 'Only the inbox with the number' },
  freescout: { url: 'https://desk.example.org', user: undefined, queue: 'Only the mailbox with the number' },
  zendesk: { url: 'https://example.zendesk.com', user: 'E-mail address', queue: 'Only with this tag' },
  freshdesk: { url: 'https://example.freshdesk.com', user: undefined, queue: 'Only the group with the number' },
} as const
type Type = keyof typeof hints
const mayLackUser: readonly Type[] = ['rt', 'zammad', 'zendesk']

const hostOf = (url = '') => (URL.canParse(url) ? new URL(url).host : url)

const configOf = (source?: Source) => {
  const { url = '', user = '', queue = '' } = source?.config ?? {}
  return { url, user, queue }
}

/** Creates or changes a source. For JSON lines, the key that signs them is shown once. */
export function SourceModal({ close, source }: { close: () => void; source?: Source }) {
  const [type, setType] = useState<Type>(source?.type ?? 'rt')
  const at = source?.config?.url ?? ''
  const [key, setKey] = useState<string>()
  // a new source has no version; its other fields are those of a change
  const call = (source ? qcSourcesApi.updateSource : qcSourcesApi.createSource) as typeof qcSourcesApi.updateSource
  const form = useCallForm(call, {
    initial: {
      name: source?.name ?? '',
      config: (hints[type] && configOf(source)) as ReturnType<typeof configOf> | undefined,
      secret: '',
      everyMinutes: source?.everyMinutes ?? 10,
    },
    ...(source && { fixed: { id: source.id, version: source.version } }),
    labels: { name: 'Name', config: 'Address and user', everyMinutes: 'Asked every' },
    valuesOf: (stored: Source) => ({
      config: hints[type] && configOf(stored),
      everyMinutes: stored.everyMinutes ?? 10,
    }),
    send: ({ config, secret, everyMinutes, ...rest }) =>
      call({
        ...rest,
        ...(!source && { type }),
        ...(hints[type] && { config, secret, everyMinutes }),
      }),
    onDone: async (made) => {
      await readAgain(['qc'])
      if (source || hints[type]) close()
      // the answer of a new source without an address has the key
      else setKey((made as { key?: string }).key)
    },
  })
  const { values } = form
  const config = values.config ?? configOf()
  const hint = hints[type]
  const field = (name: 'url' | 'user' | 'queue') => ({
    value: config[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      form.set('config', { ...config, [name]: event.currentTarget.value }),
  })
  // a stored password is only sent to the host that it was entered for
  const needsSecret = !source || hostOf(config.url) !== hostOf(at)
  const lack = !values.name.trim()
    ? 'Name the source first.'
    : hint && !config.url
      ? 'Type its address first.'
      : hint && needsSecret && !values.secret
        ? 'Type its password or key first.'
        : undefined
  return (
    <Dialog opened onClose={close} title={source ? `Change ${source.name}` : 'Create source'}>
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
        <form {...form.form}>
          <Stack gap={14}>
            <FormNotes form={form} nothing="Nothing was saved." />
            <TextInput label="Name" data-autofocus {...form.text('name')} required />
            <Select
              label="What it is"
              allowDeselect={false}
              disabled={source !== undefined}
              data={Object.entries(typeNames).map(([value, label]) => ({ value, label }))}
              value={type}
              onChange={(next) => {
                const chosen = sourceTypes.find((one) => one === next) ?? 'rt'
                setType(chosen)
                form.set('config', hints[chosen] && config)
              }}
            />
            {hint && (
              <>
                <TextInput label="Address" required placeholder={hint.url} {...field('url')} />
                {hint.user && (
                  <TextInput
                    label={hint.user}
                    description={mayLackUser.includes(type) ? 'Empty: the password is a token' : undefined}
                    required={!mayLackUser.includes(type)}
                    {...field('user')}
                  />
                )}
                <PasswordInput
                  label="Password or token"
                  required={needsSecret}
                  placeholder={needsSecret ? '' : 'Stored; empty keeps it'}
                  autoComplete="off"
                  value={values.secret}
                  onChange={(event) => form.set('secret', event.currentTarget.value)}
                />
                <TextInput label={hint.queue} {...field('queue')} />
                <NumberInput
                  label="Asked every, minutes"
                  min={1}
                  max={1440}
                  allowDecimal={false}
                  value={values.everyMinutes}
                  onChange={(next) => form.set('everyMinutes', Number(next) || 1)}
                />
                {source && config.url !== at && (
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
              <ActButton type="submit" loading={form.busy} reason={lack}>
                {source ? 'Save source' : 'Create source'}
              </ActButton>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  )
}
