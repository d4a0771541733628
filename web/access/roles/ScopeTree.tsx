import type { ScopeArea, ScopeLeaf } from '@innkeeper/contract/access/scopes'
import { Checkbox, Text } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import css from './ScopeTree.module.css'
import { chosenOf, type Line, linesOf, moved, toggled } from './tree.ts'

interface Props {
  tree: readonly ScopeArea[]
  search: string
  chosen: ReadonlySet<string>
  /** The stored permissions; differences are marked. */
  before: ReadonlySet<string>
  choose: (next: Set<string>) => void
  mayGive: (scope: string) => boolean
  /** Called with the focused permission, or undefined. */
  rest: (leaf: ScopeLeaf | undefined) => void
}

/** Permissions in a tree of three levels. Arrow keys move, Space chooses; a line chooses everything below it. */
export function ScopeTree({ tree, search, chosen, before, choose, mayGive, rest }: Props) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [at, setAt] = useState<number>()
  const list = useRef<HTMLDivElement>(null)
  const lines = linesOf(tree, open, search)
  const active = lines.find(({ id }) => id === at) ?? lines[0]

  const turn = (id: number, wanted: boolean) =>
    setOpen((now) => new Set(wanted ? [...now, id] : [...now].filter((one) => one !== id)))
  const go = (id: number) => {
    setAt(id)
    rest(lines.find((line) => line.id === id)?.leaf)
    list.current?.querySelector<HTMLElement>(`#scope-${id}`)?.focus()
  }
  const toggle = (line: Line) => choose(toggled(line, chosen, mayGive))

  const press = (event: KeyboardEvent) => {
    if (!active || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === ' ' || event.key === 'Enter') toggle(active)
    else {
      const move = moved(lines, lines.indexOf(active), event.key)
      if (!move) return
      if (move.open !== undefined) turn(move.open, true)
      if (move.shut !== undefined) turn(move.shut, false)
      if (move.to !== undefined) go(move.to)
    }
    event.preventDefault()
  }

  if (lines.length === 0)
    return (
      <Text c="dimmed" py={16}>
        No permission matches “{search}”.
      </Text>
    )
  return (
    <div ref={list} role="tree" aria-label="Permissions" className={css.tree} onKeyDown={press}>
      {lines.map((line) => {
        const state = chosenOf(line, chosen)
        const off = line.leaf !== undefined && !chosen.has(line.leaf.scope) && !mayGive(line.leaf.scope)
        const changed = line.scopes.some((scope) => chosen.has(scope) !== before.has(scope))
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has one handler for the keys of all its lines
          <div
            key={line.id}
            id={`scope-${line.id}`}
            role="treeitem"
            tabIndex={line === active ? 0 : -1}
            aria-level={line.level}
            aria-posinset={line.place}
            aria-setsize={line.of}
            aria-expanded={line.leaf ? undefined : line.open}
            aria-checked={state}
            aria-disabled={off || undefined}
            title={off ? 'You do not have this permission yourself, so you may not give it' : undefined}
            className={`${css.line} ${off ? css.off : ''}`}
            data-level={line.level}
            data-active={line === active || undefined}
            data-changed={changed || undefined}
            onClick={() => {
              go(line.id)
              if (!line.leaf) turn(line.id, !line.open)
              else if (!off) toggle(line)
            }}
          >
            {!line.leaf && (
              <IconChevronRight size={14} className={css.turn} data-open={line.open || undefined} aria-hidden />
            )}
            {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Space on the line does the same */}
            <span
              onClick={(event) => {
                event.stopPropagation()
                go(line.id)
                if (!off) toggle(line)
              }}
            >
              <Checkbox.Indicator
                size="xs"
                checked={state === 'true'}
                indeterminate={state === 'mixed'}
                disabled={off}
                aria-hidden
              />
            </span>
            <span className={css.name}>{line.name}</span>
            {line.leaf ? (
              <Text span c="dimmed" fz="xs" className={css.what}>
                {line.leaf.description}
              </Text>
            ) : (
              <Text span fz="xs" className={`num ${css.count}`}>
                {line.scopes.filter((scope) => chosen.has(scope)).length} of {line.scopes.length}
              </Text>
            )}
          </div>
        )
      })}
    </div>
  )
}
