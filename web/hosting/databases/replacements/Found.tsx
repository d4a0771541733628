import type { LeftValues, ReplacementSearch } from '@innkeeper/contract/hosting/databases/replacements'
import { Stack, Text } from '@mantine/core'
import { counted } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { SectionTable } from '../../../kit/look/SectionTable.tsx'
import css from './Replacements.module.css'

/** Why values stay unchanged, in words. */
const words: Record<LeftValues['why'], string> = {
  key: 'a key of its table',
  reference: 'other rows refer to it',
  generated: 'the database computes it',
  unreadable: 'serialized data that PHP could not read either, or a key in it',
  binary: 'no text',
  'too long': 'too long for its column afterwards',
  'too large': 'more than 4 MB',
  'no key': 'too many rows of a table without a key',
}
export const leftText = ({ table, column, values, why }: LeftValues) =>
  `${table}.${column}: ${counted(values, ['value', 'values'])}, ${words[why]}`

/** What a replacement would change in one database. */
export function Found({ found }: { found: ReplacementSearch }) {
  const { name, columns, left, unsearched, values, tables } = found
  return (
    <Stack gap={8}>
      <Text fz="sm">
        <Mono fw={600}>{name}</Mono>:{' '}
        {values
          ? `${counted(values, ['value', 'values'])} in ${counted(columns.length, ['column', 'columns'])} would change`
          : `nothing would change in ${counted(tables, ['table', 'tables'])}`}
      </Text>
      {columns.length > 0 && (
        <SectionTable
          label={`What would change in ${name}`}
          edges={false}
          maxHeight={320}
          rows={columns}
          keyOf={({ table, column }) => `${table}.${column}`}
          columns={[
            { title: 'Column', width: 190, cell: ({ table, column }) => <Mono>{`${table}.${column}`}</Mono> },
            { title: 'Values', width: 64, align: 'right', cell: (one) => one.values },
            { title: 'Matches', width: 76, align: 'right', cell: ({ count }) => count },
            {
              title: 'Samples',
              cell: ({ samples }) => (
                <div className={css.samples}>
                  {samples.map(({ before, after }, n) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: samples never change their order
                    <div key={n}>
                      <del>{before}</del>
                      <ins>{after}</ins>
                    </div>
                  ))}
                </div>
              ),
            },
          ]}
        />
      )}
      {left.length > 0 && (
        <div>
          <Text fz="xs" fw={600}>
            Stays unchanged
          </Text>
          {left.map((one) => (
            <Text key={`${one.table}.${one.column} ${one.why}`} fz="xs" c="dimmed">
              {leftText(one)}
            </Text>
          ))}
        </div>
      )}
      {unsearched.length > 0 && (
        <Text fz="xs" c="red">
          Not searched, for lack of time: {unsearched.join(', ')}. A replacement changes these tables too.
        </Text>
      )}
    </Stack>
  )
}
