import { ActionIcon } from '@mantine/core'
import { IconGripVertical } from '@tabler/icons-react'
import { useState } from 'react'
import { errorDialog } from '../kit/dialogs/dialogs.ts'
import { lazyPart } from '../kit/frame/lazyScreen.tsx'
import { Block, BlockPlace } from '../kit/home/Block.tsx'
import { allBlocks, movedTo } from './blocks.ts'
import css from './Home.module.css'
import { blockTitle, homeTexts } from './texts.ts'

/** A block before its code is there: its title and its place. */
const Loading = () => <Block rows={undefined} empty="" />
const parts = new Map(allBlocks().map(({ name, title, load }) => [name, { title, Part: lazyPart(load, Loading) }]))

interface Props {
  names: string[]
  save: (names: string[]) => Promise<void>
}

/** The blocks in their order. A handle moves a block: by pointer, or with the arrow keys. */
export function Blocks({ names, save }: Props) {
  const [drag, setDrag] = useState<{ name: string; names: string[] }>()
  const shown = drag?.names ?? names
  const keep = (next: string[]) => {
    setDrag(undefined)
    if (next.join() !== names.join()) save(next).catch(errorDialog)
  }
  const step = (name: string, by: number) => {
    const other = names[names.indexOf(name) + by]
    if (other) keep(movedTo(names, name, other))
  }

  return (
    <div className={css.blocks}>
      {shown.map((name) => {
        const part = parts.get(name)
        if (!part) return null
        const { title, Part } = part
        const handle = (
          <ActionIcon
            size={24}
            className={css.handle}
            aria-label={homeTexts().moveBlock(blockTitle(name, title))}
            onKeyDown={(event) => {
              const by = steps[event.key]
              if (event.key === 'Escape') setDrag(undefined)
              if (!by) return
              event.preventDefault()
              step(name, by)
            }}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId)
              setDrag({ name, names })
            }}
            onPointerMove={({ clientX, clientY }) => {
              const over = drag && blockAt(clientX, clientY)
              if (over && over !== drag.name) setDrag({ name, names: movedTo(drag.names, name, over) })
            }}
            onPointerUp={() => drag && keep(drag.names)}
            onPointerCancel={() => setDrag(undefined)}
          >
            <IconGripVertical size={14} />
          </ActionIcon>
        )
        return (
          <div key={name} data-block={name} className={css.place} data-dragged={drag?.name === name || undefined}>
            <BlockPlace value={{ name, title: blockTitle(name, title), handle }}>
              <Part />
            </BlockPlace>
          </div>
        )
      })}
    </div>
  )
}

const steps: Record<string, number> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }

const blockAt = (x: number, y: number): string | undefined =>
  document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-block]')?.dataset.block
