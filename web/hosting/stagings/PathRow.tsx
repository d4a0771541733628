import { ActionIcon, Checkbox, Text } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { bytes, count } from '../../kit/look/format.ts'
import css from './paths.module.css'
import { type PathNode, picked, pickOf, unpicked } from './pathTree.ts'

interface Props {
  node: PathNode
  tree: readonly PathNode[]
  paths: readonly string[]
  setPaths: (paths: string[]) => void
}

/** A differing file or folder with a checkbox; folders expand. */
export function PathRow({ node, tree, paths, setPaths }: Props) {
  const { path, name, file, below, nameable } = node
  const pick = pickOf(paths, path)
  // expand a folder without siblings: the differences are inside
  const [open, setOpen] = useState(tree.length === 1 && tree[0] === node)
  const toggle = () => setPaths(pick === 'all' ? unpicked(paths, path, tree) : picked(paths, path))
  return (
    <li>
      <div className={css.row}>
        {file ? (
          <span className={css.gap} />
        ) : (
          <ActionIcon
            variant="subtle"
            size="sm"
            aria-expanded={open}
            aria-label={open ? `Close ${name}` : `Open ${name}`}
            onClick={() => setOpen(!open)}
          >
            {open ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          </ActionIcon>
        )}
        <Checkbox
          size="xs"
          label={file ? name : `${name}/`}
          checked={pick === 'all'}
          indeterminate={pick === 'some'}
          disabled={!nameable}
          description={nameable ? undefined : 'Its name has a line break or is no UTF-8: choose its folder'}
          onChange={toggle}
        />
        <Text c="dimmed" fz="xs" className={css.what}>
          {file ? ofFile(file) : ofFolder(node)}
        </Text>
      </div>
      {open && below.length > 0 && (
        <ul className={css.below}>
          {below.map((one) => (
            <PathRow key={one.path} node={one} tree={tree} paths={paths} setPaths={setPaths} />
          ))}
        </ul>
      )}
    </li>
  )
}

function ofFile({ what, bytes: size, liveBytes }: NonNullable<PathNode['file']>): string {
  if (what === 'added') return `new, ${bytes(size)}`
  if (what === 'gone') return `taken away, ${bytes(liveBytes ?? 0)}`
  return liveBytes === size ? `${bytes(size)}, other contents` : `${bytes(liveBytes ?? 0)} to ${bytes(size)}`
}

function ofFolder({ added, changed, gone, bytes: size }: PathNode): string {
  const parts = [
    added && `${count(added)} new`,
    changed && `${count(changed)} changed`,
    gone && `${count(gone)} taken away`,
  ].filter(Boolean)
  return `${parts.join(', ')}; ${bytes(size)}`
}
