import { useParams } from '@tanstack/react-router'

/** Folder id in the address; null at the top level, 0 for invalid text, which the server answers with "not found". */
export function useFolderId(): number | null {
  const { folderId } = useParams({ strict: false })
  if (folderId === undefined) return null
  return /^[1-9]\d{0,9}$/.test(folderId) ? Number(folderId) : 0
}
