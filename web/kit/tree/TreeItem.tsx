import { Loader, Text } from '@mantine/core'
import { IconChevronRight, IconFile, IconFolder, IconFolderOpen } from '@tabler/icons-react'
import { memo } from 'react'
import { bytes } from '../look/format.ts'
import { Mono } from '../look/Mono.tsx'
import type { Ticked } from './choice.ts'
import type { TreeRow } from './rows.ts'
import css from './tree.module.css'

interface Props {
  row: TreeRow
  index: number
  top: number
  height: number
  hasFocus: boolean
  /** Undefined if nothing can be chosen. */
  ticked: Ticked | undefined
}

const checked = { on: true, off: false, some: 'mixed' } as const

/** A row of the tree, which handles its clicks and keys. */
export const TreeItem = memo(function TreeItem({ row, index, top, height, hasFocus, ticked }: Props) {
  const { path, node, level, position, count, isOpen, folder } = row
  const { name, isFolder, size } = node
  const Icon = isFolder ? (isOpen ? IconFolderOpen : IconFolder) : IconFile
  const hasFailed = isOpen && folder?.state === 'failed'
  const isEmpty = isOpen && folder?.state === 'ready' && folder.nodes.length === 0
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={count}
      aria-expanded={isFolder ? isOpen : undefined}
      aria-checked={ticked && checked[ticked]}
      aria-busy={isOpen && folder?.state === 'loading' ? true : undefined}
      tabIndex={hasFocus ? 0 : -1}
      data-row={index}
      className={css.item}
      style={{ top, height, paddingLeft: `calc(var(--ink-gutter) + ${(level - 1) * 18}px)` }}
      title={path}
    >
      <span className={css.chevron} data-open={isOpen || undefined} aria-hidden>
        {isFolder && <IconChevronRight size={14} />}
      </span>
      {ticked && <span className={css.tick} data-tick={ticked} aria-hidden />}
      <Icon size={15} aria-hidden className={css.icon} />
      <Mono truncate className={css.name}>
        {name}
      </Mono>
      {isOpen && folder?.state === 'loading' && <Loader size={12} aria-label="Loading" />}
      {hasFailed && (
        <Text span fz="xs" c="var(--mantine-color-error-text)" truncate title={folder.error.message}>
          Could not be read. Enter tries again.
        </Text>
      )}
      {isEmpty && (
        <Text span fz="xs" c="dimmed">
          empty
        </Text>
      )}
      {size !== undefined && (
        <Text span fz="xs" c="dimmed" className={`num ${css.size}`}>
          {bytes(size)}
        </Text>
      )}
    </div>
  )
})
