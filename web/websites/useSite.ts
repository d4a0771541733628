import { useQuery } from '@tanstack/react-query'
import { practiceApi } from '../servers/api.ts'
import { siteAddress } from './address.ts'

/** Answers where a browser finds a domain. Until the practice state is read it is the domain itself. */
export function useSite(): (domain: string) => string {
  const { data } = useQuery(practiceApi.practice.query())
  return (domain) => siteAddress(domain, data)
}
