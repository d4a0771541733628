import { useParams } from '@tanstack/react-router'

/** Of the address; null at the top. What is no number is no folder: 0, which the server does not know. */
export function useFolderId(): number | null {
  const { folderId } = useParams({ strict: false })
  if (folderId === undefined) return null
  return /^[1-9]\d{0,9}$/.test(folderId) ? Number(folderId) : 0
}
