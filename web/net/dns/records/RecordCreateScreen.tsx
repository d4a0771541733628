import type { ZoneView } from '@innkeeper/contract/net/dns/calls'
import { fullName, readName } from '@innkeeper/contract/net/dns/names'
import { hasPriority, readRecord } from '@innkeeper/contract/net/dns/records'
import { recordTypes } from '@innkeeper/contract/net/dns/recordTypes'
import { Alert, Group, List, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { ApiError } from '../../../kit/api/client.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { confirm, errorDialog } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import css from '../../../kit/form/form.module.css'
import { SaveBar } from '../../../kit/form/SaveBar.tsx'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Mono } from '../../../kit/look/Mono.tsx'
import { dnsApi } from '../api.ts'
import { contentOf, emptyParts, type FormType, fieldOf, type Parts, partsOf } from './parts.ts'

export default numbered('id', RecordCreatePage)

function RecordCreatePage({ id }: { id: number }) {
  const query = useQuery(dnsApi.zone.query({ id }))
  if (query.data) return <RecordForm zone={query.data} />
  return (
    <Screen query={query} title="Add record">
      {null}
    </Screen>
  )
}

const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }
type Errors = { [field: string]: string | undefined }

/** Form for one record with the fields of its type. Shows and validates the resulting record during typing. */
function RecordForm({ zone }: { zone: ZoneView }) {
  const navigate = useNavigate()
  const [type, setType] = useState<FormType>('A')
  const [name, setName] = useState('')
  const [ttl, setTtl] = useState('3600')
  const [priority, setPriority] = useState('10')
  const [parts, setParts] = useState<Parts>(emptyParts('A'))
  const [refused, setRefused] = useState<Errors>({})
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const done = useRef(false)
  const typed = {
    ...{ name, type, content: contentOf(type, parts) },
    ttl: ttl.trim() === '' ? Number.NaN : Number(ttl),
    priority: hasPriority(type) ? (priority.trim() === '' ? Number.NaN : Number(priority)) : null,
  }
  const read = readRecord(typed, zone.domain)
  const problems: Errors = 'problems' in read ? read.problems : {}
  const touched = name !== '' || Object.values(parts).join() !== Object.values(emptyParts(type)).join()
  const said = (field: string, isTouched: boolean) =>
    refused[field] ?? (tried || isTouched ? problems[field] : undefined)
  const contentError = said(
    'content',
    partsOf(type).every(({ key, isText, isOptional }) => isText || isOptional || parts[key]?.trim()),
  )

  useBlocker({
    enableBeforeUnload: () => touched && !done.current,
    shouldBlockFn: async ({ current, next }) => {
      if (!touched || done.current || current.pathname === next.pathname) return false
      const question = {
        title: 'Leave without saving?',
        text: 'Your changes here are not saved.',
        verb: 'Leave',
        danger: true,
      }
      return (await confirm(question)) === undefined
    },
  })

  const leave = () => void navigate({ to: '/dns/zone/$id', params: { id: String(zone.id) } })
  async function save(): Promise<void> {
    setTried(true)
    if (busy || !('entry' in read)) return
    setBusy(true)
    setRefused({})
    try {
      const saved = await dnsApi.updateRecords({ zoneId: zone.id, create: [typed] })
      done.current = true
      toast.success(
        `${read.entry.type} of ${fullName(read.entry.name, zone.domain)} is added`,
        saved?.warnings.join(' '),
      )
      leave()
    } catch (error) {
      const fields = error instanceof ApiError ? error.body.fields : undefined
      if (fields)
        setRefused(
          Object.fromEntries(Object.entries(fields).map(([path, text]) => [path.replace('create.0.', ''), text])),
        )
      else void errorDialog(error)
    } finally {
      setBusy(false)
      void readAgain(['dns', 'workflows'])
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save()
  }
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void save()
  }
  const edit =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value)
      setRefused({})
    }
  const setPart = (key: string) => edit((value: string) => setParts({ ...parts, [key]: value }))
  const whole = readName(name, zone.domain)
  return (
    <form className={css.form} noValidate onSubmit={submit} onKeyDown={keys}>
      <Screen scroll={false} meta={<Mono>{zone.domain}</Mono>}>
        <div className={css.body}>
          <Stack gap={18} maw={640}>
            {Object.keys(refused).length > 0 && (
              <Alert role="alert" color="error" p="10px 14px" title="The server refused this">
                <List>
                  {Object.values(refused).map((text) => (
                    <List.Item key={text}>{text}</List.Item>
                  ))}
                </List>
              </Alert>
            )}
            <Group grow align="flex-start" gap={14}>
              <TextInput
                label="Name"
                description={
                  whole.value === undefined
                    ? `Below ${zone.domain}; empty or @: the zone itself`
                    : `${fullName(whole.value, zone.domain)}`
                }
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                placeholder="@"
                autoFocus
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                styles={mono}
                value={name}
                onChange={(event) => edit(setName)(event.currentTarget.value)}
                error={said('name', name !== '')}
              />
              <Select
                label="Type"
                data={[...recordTypes]}
                allowDeselect={false}
                value={type}
                error={refused.type}
                onChange={(chosen) => {
                  const next = recordTypes.find((one) => one === chosen) ?? 'A'
                  setType(next)
                  // keeps fields that the next type shares, such as the target
                  const kept = partsOf(next).flatMap(({ key, options }) =>
                    !options && parts[key] ? [[key, parts[key]]] : [],
                  )
                  setParts({ ...emptyParts(next), ...Object.fromEntries(kept) })
                  setRefused({})
                }}
              />
            </Group>
            {hasPriority(type) && (
              <TextInput
                label="Priority"
                description="Lower is asked first"
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                inputMode="numeric"
                value={priority}
                onChange={(event) => edit(setPriority)(event.currentTarget.value)}
                error={said('priority', true)}
              />
            )}
            {partsOf(type).map(({ key, label, hint, options, isText, isOptional }) => {
              const common = {
                label,
                description: hint,
                inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
                  | 'label'
                  | 'input'
                  | 'description'
                  | 'error'
                )[],
                withAsterisk: !isText && !isOptional,
                error: contentError && fieldOf(type, contentError) === key ? contentError : undefined,
              }
              if (options)
                return (
                  <Select
                    key={key}
                    {...common}
                    data={[...options]}
                    allowDeselect={false}
                    value={parts[key] ?? null}
                    onChange={(value) => setPart(key)(value ?? '')}
                  />
                )
              const Input = type === 'TXT' ? Textarea : TextInput
              return (
                <Input
                  key={key}
                  {...common}
                  {...(type === 'TXT' && { autosize: true, minRows: 3 })}
                  autoComplete="off"
                  spellCheck={false}
                  styles={mono}
                  value={parts[key] ?? ''}
                  onChange={(event: { currentTarget: { value: string } }) => setPart(key)(event.currentTarget.value)}
                />
              )
            })}
            <TextInput
              label="TTL"
              description="Seconds that resolvers keep the answer"
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              inputMode="numeric"
              value={ttl}
              onChange={(event) => edit(setTtl)(event.currentTarget.value)}
              error={said('ttl', true)}
            />
            {'entry' in read && (
              <Text c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
                In the zone:{' '}
                <Mono>
                  {fullName(read.entry.name, zone.domain)}. {read.entry.ttl} {type} {read.entry.priority}{' '}
                  {read.entry.content}
                </Mono>
              </Text>
            )}
          </Stack>
        </div>
      </Screen>
      <SaveBar
        left={
          zone.active
            ? 'The name servers get the change at once.'
            : 'The zone is not active: no name server gets the change.'
        }
        save="Add record"
        busy={busy}
        onCancel={leave}
      />
    </form>
  )
}
