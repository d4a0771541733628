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
import { count } from '../look/format.ts'
import type { Column, useTaste } from './columns.ts'
import { csvFile } from './csv.ts'
import { listTexts } from './texts.ts'
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
  const words = listTexts()
  const density = taste.dense ? words.roomy : words.dense
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
          <ActionIcon aria-label={words.columnsAndRows} title={words.columnsAndRows}>
            <IconAdjustmentsHorizontal size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{words.columns}</Menu.Label>
          {columns.slice(1).map(({ key, title }) => (
            <Menu.CheckboxItem
              key={key}
              checked={!taste.hidden.includes(key)}
              rightSection={
                !taste.hidden.includes(key) && !taste.shown.some((column) => column.key === key) ? (
                  <Text c="dimmed" fz="xs">
                    {words.noRoom}
                  </Text>
                ) : undefined
              }
              onChange={() => taste.toggle(key)}
            >
              {title}
            </Menu.CheckboxItem>
          ))}
          <Menu.Label>{words.rowsPerPage}</Menu.Label>
          <Menu.RadioGroup value={String(list.size)} onChange={(size) => list.setSize(Number(size))}>
            {SIZES.map((size) => (
              <Menu.RadioItem key={size} value={size}>
                {size}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
      <Tooltip label={words.csvHint}>
        <ActionIcon aria-label={words.csv} loading={busy} onClick={() => void download()}>
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
      const words = listTexts()
      const counted = words.rows(count(rows), rows === 1)
      if (cut) toast.warning(words.cut, words.cutAt(counted))
      else toast.success(words.downloaded, words.rowsIn(counted, `${name}.csv`))
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
