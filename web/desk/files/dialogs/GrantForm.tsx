import { Group, Select, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../../kit/api/client.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { MomentField } from '../../../kit/form/MomentField.tsx'
import { useFound } from '../../../kit/form/useFound.ts'
import { focusWrong } from '../../../kit/form/useTyped.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted } from '../../../kit/look/format.ts'
import { filesApi } from '../api.ts'

/** Who can get access to a file. */
export const kinds = { user: 'person', role: 'role', department: 'department' } as const

/** Shares a file with a person, a role or a department, if wanted until a moment. */
export function GrantForm({ fileId }: { fileId: number }) {
  const [typed, setTyped] = useState('')
  const [to, setTo] = useState<string | null>(null)
  const [until, setUntil] = useState('')
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const { rows, ...found } = useFound(typed.replace(/ \(.*$/s, ''), (search) => filesApi.grantees.query({ search }), {
    rowsOf: (all) => all,
    textOf: ({ name }) => name,
  })
  const data = rows.map(({ accessType, id, name, people }) => ({
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
          selectFirstOptionOnChange={found.isFound}
          nothingFoundMessage={found.isLooking ? 'Looking…' : 'Nothing is found'}
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
          <ActButton type="submit" loading={busy} reason={to ? undefined : 'Choose with whom first.'}>
            Share file
          </ActButton>
        </Group>
      </Stack>
    </form>
  )
}
