import { Tabs } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { ownStore } from './browserStore.ts'
import css from './SplitPane.module.css'
import { boundedShare, readShare, type Share, shareByKey } from './share.ts'
import { createStore } from './store.ts'

interface Pane {
  /** Name of the region, and of the tab on a phone. */
  title: string
  content: ReactNode
}
export interface SplitHandle {
  /** Opens the tab of a pane on a phone. */
  open: (pane: 0 | 1) => void
}
interface Props {
  /** Key under which the browser stores the width for each person. */
  name: string
  panes: readonly [first: Pane, second: Pane]
  /** Share of the width for the first pane until a person moves the border. */
  initial?: Share
  /** Minimum width of each pane in pixels. */
  min?: number
  ref?: Ref<SplitHandle>
}

/** The last change of a width: other panes of the same name, also hidden ones, follow. */
const moved = createStore<{ name: string; share: Share } | undefined>(undefined)

/**
 * Two panes side by side with a border that people move by pointer or keys; tabs on a phone. Both panes stay mounted,
 * so that a draft in one survives a visit to the other. The parent sets the height.
 */
export function SplitPane({ name, panes, initial = 0.6, min = 280, ref }: Props) {
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [tab, setTab] = useState<string | null>('0')
  const [share, setShare] = useState(() => readShare(ownStore(`split.${name}`).read()) ?? initial)

  useEffect(
    () =>
      moved.subscribe(() => {
        const last = moved.get()
        if (last?.name === name) setShare(last.share)
      }),
    [name],
  )
  // synchronous, because the caller focuses an element of the pane next and a hidden pane takes no focus
  useImperativeHandle(ref, () => ({ open: (pane) => flushSync(() => setTab(String(pane))) }))

  const move = (wanted: Share) => {
    const next = boundedShare(wanted, box.current?.clientWidth ?? 0, min)
    moved.set({ name, share: next })
    ownStore(`split.${name}`).write(next.toFixed(4))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = shareByKey(event.key, event.shiftKey, share)
    if (next === undefined) return
    event.preventDefault()
    move(next)
  }
  const onPointerMove = ({ clientX, currentTarget, pointerId }: PointerEvent) => {
    const rectangle = box.current?.getBoundingClientRect()
    if (rectangle && currentTarget.hasPointerCapture(pointerId)) move((clientX - rectangle.left) / rectangle.width)
  }
  const percent = Math.round(share * 100)
  return (
    <div
      ref={box}
      className={css.split}
      style={{ '--split-first': `${share * 100}%`, '--split-min': `${min}px` } as CSSProperties}
    >
      {phone && (
        <Tabs id={id} value={tab} onChange={setTab} keepMounted className={css.tabs}>
          <Tabs.List grow>
            {panes.map(({ title }, n) => (
              // there are always the same two
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <Tabs.Tab key={n} value={String(n)}>
                {title}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
      )}
      {panes.map(({ title, content }, n) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: there are always the same two
          key={n}
          id={`${id}-panel-${n}`}
          {...(phone
            ? { role: 'tabpanel', 'aria-labelledby': `${id}-tab-${n}` }
            : { role: 'region', 'aria-label': title })}
          hidden={phone && tab !== String(n)}
          className={css.pane}
          style={{ order: n * 2 }}
        >
          {content}
        </div>
      ))}
      {!phone && (
        // biome-ignore lint/a11y/useSemanticElements: a border that moves is no <hr>
        <div
          role="separator"
          aria-orientation="vertical"
          aria-label={`Width of ${panes[0].title}`}
          aria-controls={`${id}-panel-0`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          aria-valuetext={`${percent} %`}
          tabIndex={0}
          className={css.border}
          onKeyDown={onKeyDown}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={onPointerMove}
          onDoubleClick={() => move(initial)}
          title="Drag to resize, double-click to reset"
        />
      )}
    </div>
  )
}
