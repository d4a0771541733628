import type { Opener, StoredFile } from '@innkeeper/contract/files'
import { ActionIcon, Button, Group, Modal, Select, Skeleton, Stack, Text, Tooltip } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconX } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { ApiError } from '../../kit/api/client.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { MomentField } from '../../kit/form/MomentField.tsx'
import { focusWrong } from '../../kit/form/useTyped.ts'
import { ErrorLine } from '../../kit/frame/ErrorLine.tsx'
import { counted, moment } from '../../kit/look/format.ts'
import { filesApi } from '../api.ts'
import css from '../Files.module.css'

/** Who can open a file and why; grants and revokes access. */
export default function AccessModal({ file, close }: { file: StoredFile; close: () => void }) {
  const openers = useQuery(filesApi.openers.query({ id: file.id }))
  const reason =
    useReason()(filesApi.grant) ??
    (file.mayChange ? undefined : `Only ${file.ownerName} or an administrator may share it.`)
  return (
    <Modal opened onClose={close} title={`Who can open ${file.name}`} size={520}>
      {openers.error && <ErrorLine error={openers.error} />}
      {openers.isPending && <Skeleton h={120} />}
      <ul className={`${css.plain} ${css.inModal}`}>
        {openers.data?.map((opener) => (
          <Row key={`${opener.why}${opener.grant?.id ?? ''}`} opener={opener} locked={reason} />
        ))}
      </ul>
      {reason ? (
        <Text c="dimmed" fz="xs" mt={12}>
          {reason}
        </Text>
      ) : (
        <GrantForm fileId={file.id} />
      )}
    </Modal>
  )
}

const because: Record<Opener['why'], string> = {
  public: 'It is public',
  owner: 'Owner',
  'folder-owner': 'Owns its folder',
  grant: 'Shared',
  administrator: 'Administrators open everything',
}
const kinds = { user: 'person', role: 'role', department: 'department' } as const

function Row({ opener: { why, name, people, grant }, locked }: { opener: Opener; locked?: string }) {
  const until = grant?.expiresAt ? `until ${moment(grant.expiresAt)}` : undefined
  const many =
    people !== null && (grant?.accessType !== 'user' || people !== 1) && !why.endsWith('owner')
      ? counted(people, ['person', 'people'])
      : undefined
  const facts = [
    grant
      ? `Shared with the ${kinds[grant.accessType]}${grant.grantedBy ? ` by ${grant.grantedBy}` : ''}`
      : because[why],
    many,
    until,
  ]
  return (
    <li>
      <div style={{ minWidth: 0 }}>
        <Text fw={450}>{name}</Text>
        <Text c="dimmed" fz="xs">
          {facts.filter(Boolean).join(' · ')}
        </Text>
      </div>
      {grant && !locked && (
        <Tooltip label={`Revoke the access of ${name}`}>
          <ActionIcon
            aria-label={`Revoke the access of ${name}`}
            onClick={() => void attempt(() => filesApi.revoke({ id: grant.id }), ['files'])}
          >
            <IconX size={15} />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  )
}

function GrantForm({ fileId }: { fileId: number }) {
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed, 200)
  const [to, setTo] = useState<string | null>(null)
  const [until, setUntil] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const found = useQuery({
    ...filesApi.grantees.query({ search: search.replace(/ \(.*$/, '') }),
    placeholderData: keepPreviousData,
  })
  const data = found.data?.map(({ accessType, id, name, people }) => ({
    value: `${accessType} ${id}`,
    label: accessType === 'user' ? name : `${name} (${kinds[accessType]}, ${counted(people, ['person', 'people'])})`,
  }))

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (focusWrong(event.currentTarget)) return
    const [accessType, id] = to?.split(' ') ?? []
    if (!accessType || !id || busy) return
    setBusy(true)
    try {
      await filesApi.grant({
        fileId,
        accessType: accessType as keyof typeof kinds, // one of the values of `data`
        grantAccessTo: Number(id),
        expiresAt: until || null,
      })
      setTo(null)
      setUntil('')
      setErrors({})
      void readAgain(['files'])
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      setErrors(error instanceof ApiError && error.body.fields ? error.body.fields : { grantAccessTo: message })
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap={12} mt={16}>
        <Select
          label="Open it to"
          placeholder="A person, a role or a department"
          searchable
          data={data}
          filter={({ options }) => options} // the server filters the options
          value={to}
          onChange={setTo}
          searchValue={typed}
          onSearchChange={setTyped}
          nothingFoundMessage={found.isFetching ? 'Looking…' : 'Nothing is found'}
          error={errors.grantAccessTo ?? found.error?.message}
        />
        <Group align="center" wrap="nowrap">
          <MomentField
            label="Until"
            description="Empty: until it is revoked."
            value={until}
            onChange={setUntil}
            error={errors.expiresAt}
            style={{ flex: 1 }}
          />
          <Button type="submit" loading={busy} disabled={!to}>
            Share file
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
