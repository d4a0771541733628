import { tableName } from '@innkeeper/contract/kit/values'
import type { Backup, RestorePreview } from '@innkeeper/contract/recovery/backups/shapes'
import { Checkbox, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MultiSelectField } from '../../../kit/form/MultiSelectField.tsx'
import type { FieldProps } from '../../../kit/form/useCallForm.ts'
import { bytes, count } from '../../../kit/look/format.ts'
import { backupsApi } from '../api.ts'
import type { Target } from './TargetFields.tsx'
import { dumpedOf, filesOf, type Wish } from './values.ts'

interface Props {
  backup: Backup
  target: Target
  preview: RestorePreview | undefined
  fields: { [K in 'paths' | 'databases' | 'tables' | 'into']: FieldProps<Wish[K]> }
}

/** The files and databases that are restored: each database whole or of some tables, and into which one. */
export function PartsFields({ backup, target, preview, fields: { paths, databases, tables, into } }: Props) {
  const { data: stored } = useQuery(backupsApi.database.query({ id: backup.id }))
  const files = filesOf(backup)
  const tablesOf = (id: number) =>
    stored?.parts
      .find(({ resourceId }) => resourceId === id)
      ?.tables?.filter((name) => tableName.safeParse(name).success)
  const choose = (id: number, on: boolean) => {
    databases.onChange(on ? [...databases.value, id] : databases.value.filter((one) => one !== id))
    if (!on) tables.onChange(without(tables.value, id))
  }
  return (
    <>
      {files && (
        <Checkbox
          label={`Files: ${count(files.files)}, ${bytes(files.bytes)}${preview?.folder ? `, into ${preview.folder}` : ''}`}
          disabled={target === 'new'}
          checked={paths.value === undefined}
          error={paths.error}
          onChange={(event) => paths.onChange(event.currentTarget.checked ? undefined : [])}
        />
      )}
      {dumpedOf(backup).map(({ resourceId: id, name, bytes: size }) => {
        const some = tables.value?.find(({ database }) => database === id)
        const goes = preview?.databases.find((one) => one.id === id)?.into
        return (
          <Stack key={id} gap={6}>
            <Checkbox
              label={`Database ${name}, ${bytes(size)}${goes && goes.name !== name ? `, into ${goes.name}` : ''}`}
              checked={databases.value.includes(id)}
              error={databases.error ?? tables.error ?? into.error}
              onChange={(event) => choose(id, event.currentTarget.checked)}
            />
            {databases.value.includes(id) && (tablesOf(id)?.length ?? 0) > 1 && (
              <MultiSelectField
                ml={28}
                searchable
                clearable
                size="xs"
                aria-label={`Tables of ${name}`}
                placeholder={some ? undefined : 'All tables; choose some'}
                data={tablesOf(id) ?? []}
                value={some?.tables ?? []}
                onChange={(chosen) =>
                  tables.onChange(
                    chosen.length
                      ? [...(without(tables.value, id) ?? []), { database: id, tables: chosen }]
                      : without(tables.value, id),
                  )
                }
              />
            )}
            {target === 'other' && databases.value.includes(id) && (preview?.targets.length ?? 0) > 0 && (
              <Select
                ml={28}
                size="xs"
                aria-label={`Database that receives ${name}`}
                data={preview?.targets.map((one) => ({ value: String(one.id), label: `into ${one.name}` })) ?? []}
                value={String(into.value?.find(({ database }) => database === id)?.target ?? goes?.id ?? '') || null}
                onChange={(value) =>
                  into.onChange(
                    value
                      ? [...(without(into.value, id) ?? []), { database: id, target: Number(value) }]
                      : without(into.value, id),
                  )
                }
              />
            )}
          </Stack>
        )
      })}
    </>
  )
}

/** The list without a database; undefined if nothing is left. */
function without<T extends { database: number }>(list: T[] | undefined, id: number): T[] | undefined {
  const left = (list ?? []).filter(({ database }) => database !== id)
  return left.length ? left : undefined
}
