import { ActionIcon, Menu, Text, Tooltip } from '@mantine/core'
import {
  IconAdjustmentsHorizontal,
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconDownload,
} from '@tabler/icons-react'
import { useState } from 'react'
import { errorDialog } from '../dialogs/dialogs.ts'
import { toast } from '../dialogs/toast.ts'
import { counted } from '../look/format.ts'
import type { Column, useTaste } from './columns.ts'
import { csvFile } from './csv.ts'
import type { List } from './useList.ts'

const SIZES = ['25', '50', '100', '200']

interface Props<R> {
  name: string
  list: List<R>
  columns: readonly Column<R>[]
  taste: ReturnType<typeof useTaste<R>>
  file?: () => Promise<string>
}

/** Buttons for density, columns and CSV download. */
export function ListTools<R>({ name, list, columns, taste, file }: Props<R>) {
  const density = taste.dense ? 'Roomy rows' : 'Dense rows'
  const { busy, download } = useCsv(name, list, columns, file)
  return (
    <>
      <Tooltip label={density}>
        <ActionIcon aria-label={density} onClick={() => taste.setDense(!taste.dense)}>
          {taste.dense ? <IconBaselineDensityMedium size={16} /> : <IconBaselineDensitySmall size={16} />}
        </ActionIcon>
      </Tooltip>
      <Menu closeOnItemClick={false} width={190}>
        <Menu.Target>
          <ActionIcon aria-label="Columns and rows per page" title="Columns and rows per page">
            <IconAdjustmentsHorizontal size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Columns</Menu.Label>
          {columns.slice(1).map(({ key, title }) => (
            <Menu.CheckboxItem
              key={key}
              checked={!taste.hidden.includes(key)}
              rightSection={
                !taste.hidden.includes(key) && !taste.shown.some((column) => column.key === key) ? (
                  <Text c="dimmed" fz="xs">
                    no room
                  </Text>
                ) : undefined
              }
              onChange={() => taste.toggle(key)}
            >
              {title}
            </Menu.CheckboxItem>
          ))}
          <Menu.Label>Rows per page</Menu.Label>
          <Menu.RadioGroup value={String(list.size)} onChange={(size) => list.setSize(Number(size))}>
            {SIZES.map((size) => (
              <Menu.RadioItem key={size} value={size}>
                {size}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
      <Tooltip label="Download what the filters let through as CSV">
        <ActionIcon aria-label="Download as CSV" loading={busy} onClick={() => void download()}>
          <IconDownload size={16} />
        </ActionIcon>
      </Tooltip>
    </>
  )
}

function useCsv<R>(name: string, list: List<R>, columns: readonly Column<R>[], written?: () => Promise<string>) {
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      if (written) return open(await written())
      const heading = columns.map((column) => column.title)
      const { file, rows, cut } = await csvFile(
        heading,
        (row: R) => columns.map((column) => column.csv(row)),
        list.fetchPage,
      )
      save(file, `${name}.csv`)
      if (cut)
        toast.warning(
          'The file is not complete',
          `The file holds the first ${counted(rows, ['row', 'rows'])}. Narrow the filters for the rest.`,
        )
      else toast.success('Downloaded', `${counted(rows, ['row', 'rows'])} in ${name}.csv.`)
    } catch (error) {
      void errorDialog(error)
    } finally {
      setBusy(false)
    }
  }
  return { busy, download }
}

/** Opens a download, which the browser streams to disk. */
const open = (href: string, download = ''): void =>
  Object.assign(document.createElement('a'), { href, download }).click()

export function save(file: Blob, name: string): void {
  const href = URL.createObjectURL(file)
  open(href, name)
  // the download must have started before the URL is revoked
  setTimeout(() => URL.revokeObjectURL(href), 10_000)
}
