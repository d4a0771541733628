import { Button } from '@mantine/core'
import { count as written } from '../look/format.ts'
import css from './NewRows.module.css'
import { listTexts } from './texts.ts'

interface Props {
  count: number
  /** The count stops here: "1,000+ new rows". */
  most?: number
  noun: readonly [singular: string, plural: string]
  show: () => void
}

/** "12 new rows" since the last load, above the list. People load the rows by a click. */
export function NewRows({ count, most = Number.POSITIVE_INFINITY, noun: [one, many], show }: Props) {
  const words = listTexts()
  return (
    <div role="status" className={css.notice}>
      {count > 0 && (
        <Button size="compact-sm" radius="xl" onClick={show}>
          {count >= most
            ? words.newRows(`${written(most)}+`, many)
            : words.newRows(written(count), count === 1 ? one : many)}
        </Button>
      )}
    </div>
  )
}
