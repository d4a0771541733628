import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Folder, ROOT, rowsOf, type TreeNode } from './rows.ts'

export type LoadFolder = (path: string) => Promise<readonly TreeNode[]>

/** The opened folders, each loaded when it is opened first. `ROOT` is the top. */
export function useFolders(load: LoadFolder) {
  const [folders, setFolders] = useState<ReadonlyMap<string, Folder>>(new Map())
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  // another `load` is another tree: ignores answers for the former one
  const current = useRef(load)

  const fetch = useCallback(
    (path: string) => {
      const keep = (folder: Folder) => current.current === load && setFolders((all) => new Map(all).set(path, folder))
      keep({ state: 'loading' })
      load(path).then(
        (nodes) => keep({ state: 'ready', nodes }),
        (cause: unknown) => keep({ state: 'failed', error: cause instanceof Error ? cause : new Error(String(cause)) }),
      )
    },
    [load],
  )
  useEffect(() => {
    current.current = load
    setFolders(new Map())
    setOpen(new Set())
    fetch(ROOT)
  }, [load, fetch])

  const rows = useMemo(() => rowsOf(folders, open), [folders, open])
  return {
    rows,
    top: folders.get(ROOT),
    again: () => fetch(ROOT),
    /** Loads the folders that are not loaded; retries failed ones. */
    expand: (paths: readonly string[]) => {
      setOpen(new Set([...open, ...paths]))
      for (const path of paths) {
        const known = folders.get(path)?.state
        if (known === undefined || known === 'failed') fetch(path)
      }
    },
    collapse: (path: string) => setOpen(new Set([...open].filter((other) => other !== path))),
    childrenOf: (path: string): readonly string[] | undefined => {
      const folder = folders.get(path)
      return folder?.state === 'ready' ? folder.nodes.map(({ name }) => `${path}/${name}`) : undefined
    },
  }
}
