import type { Owner } from '@innkeeper/contract/hosting/owners'
import { Anchor, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useFound } from '../../kit/form/useFound.ts'
import { ownersApi } from './api.ts'
import { OwnerModal } from './OwnerModal.tsx'

interface Props {
  value: number | undefined
  onChange: (id: number | undefined) => void
  onBlur: () => void
  error?: string
}

/** Finds an owner by name or email, or adds one. */
export function OwnerField({ value, onChange, onBlur, error }: Props) {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<Owner>()
  const [adding, setAdding] = useState(false)
  // the search text equal to the chosen name is no search
  const {
    rows: found,
    error: failed,
    isLooking,
    isFound,
  } = useFound(typed === chosen?.name ? '' : typed, (search) => ownersApi.list.query({ search, itemsPerPage: 50 }), {
    rowsOf: ({ items }) => items,
    textOf: ({ name, email }) => `${name} ${email}`,
  })
  const known = chosen && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found
  const choose = (owner: Owner | undefined) => {
    setChosen(owner)
    onChange(owner?.id)
  }
  return (
    <>
      <Select
        label="Owner"
        withAsterisk
        searchable
        clearable={value !== undefined}
        placeholder="Name or e-mail"
        data={known.map(({ id, name }) => ({ value: String(id), label: name }))}
        // the server filters the options, by email too
        filter={({ options }) => options}
        value={value === undefined ? null : String(value)}
        onChange={(id) => choose(known.find((owner) => String(owner.id) === id))}
        searchValue={typed}
        onSearchChange={setTyped}
        selectFirstOptionOnChange={isFound}
        onBlur={onBlur}
        nothingFoundMessage={
          isLooking ? (
            'Looking…'
          ) : (
            <>
              {typed.trim() ? 'No such owner. ' : 'No owner yet. '}
              <Anchor component="button" type="button" fz="inherit" onClick={() => setAdding(true)}>
                {typed.trim() ? `Add ${typed.trim()}…` : 'Add one…'}
              </Anchor>
            </>
          )
        }
        error={error ?? failed?.message}
        description={
          <>
            or{' '}
            <Anchor component="button" type="button" fz="xs" lh="inherit" onClick={() => setAdding(true)}>
              add a new one
            </Anchor>
          </>
        }
        renderOption={({ option }) => (
          <div>
            <Text>{option.label}</Text>
            <Text c="dimmed" fz="xs">
              {known.find(({ id }) => String(id) === option.value)?.email}
            </Text>
          </div>
        )}
      />
      {adding && (
        <OwnerModal
          name={value === undefined ? typed.trim() : ''}
          close={() => setAdding(false)}
          added={(owner) => {
            choose(owner)
            setTyped(owner.name)
          }}
        />
      )}
    </>
  )
}
