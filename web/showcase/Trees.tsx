import { Text } from '@mantine/core'
import { useState } from 'react'
import { toast } from '../kit/dialogs/toast.ts'
import { Section } from '../kit/frame/Section.tsx'
import { Mono } from '../kit/look/Mono.tsx'
import { type Choice, noChoice } from '../kit/tree/choice.ts'
import { FileTree } from '../kit/tree/FileTree.tsx'
import type { TreeNode } from '../kit/tree/rows.ts'
import css from './Pieces.module.css'

const folder = (name: string, size?: number): TreeNode => ({
  name,
  isFolder: true,
  ...(size !== undefined && { size }),
})
const file = (name: string, size: number): TreeNode => ({ name, isFolder: false, size })
const known: Record<string, TreeNode[]> = {
  '': [folder('etc', 41_200), folder('home', 1_840_000_000), folder('locked'), file('dump.sql.zst', 84_100_000)],
  '/etc': [folder('empty', 0), file('nginx.conf', 1412)],
  '/etc/empty': [],
  '/home': [folder('many', 512_000), folder('shop.example', 1_800_000_000)],
  '/home/many': Array.from({ length: 5000 }, (_, n) => file(`message-${String(n).padStart(5, '0')}.eml`, 900 + n)),
  '/home/shop.example': [folder('logs', 22_000_000), folder('public', 61_000_000), file('.htaccess', 310)],
}

/** Answers after 200 ms, as a server does; one folder fails. */
async function load(path: string): Promise<readonly TreeNode[]> {
  await new Promise((resolve) => setTimeout(resolve, 200))
  if (path === '/locked') throw new Error('The repository is locked by a prune since 14:02.')
  return known[path] ?? [file('index.php', 4100), file('a name with spaces that goes on and on and on.txt', 12)]
}

/** The selection of files to restore from a snapshot. */
export function Trees() {
  const [choice, setChoice] = useState<Choice>(noChoice)
  const chosen = [...choice.included, ...[...choice.excluded].map((path) => `not ${path}`)]
  return (
    <Section
      title="FileTree"
      hint="one folder of 5,000 files, one that cannot be read"
      pad={false}
      aside={<Text fz="xs">{chosen.length ? <Mono>{chosen.join(', ')}</Mono> : 'Nothing is chosen'}</Text>}
    >
      <div className={css.medium}>
        <FileTree
          label="Files of the snapshot"
          load={load}
          choice={choice}
          onChoice={setChoice}
          onOpen={(path) => toast.info(path)}
        />
      </div>
    </Section>
  )
}
