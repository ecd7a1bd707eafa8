import type { MemberCard } from '@guildhall/contract/features/people'
import { t } from '@lingui/core/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { saveFile } from '../../../ui/save-file.ts'

export type { MemberCard }

export const useCard = (personId: string, enabled = true) =>
  useQuery({ ...useApi().data.people.card.queryOptions({ input: { personId } }), enabled })

/** What is done to a card; each leaves the new state on the screen. */
export function useCardWays(personId: string) {
  const { data, actions } = useApi()
  const cache = useQueryClient()
  const show = (card: MemberCard) => cache.setQueryData(data.people.card.queryKey({ input: { personId } }), card)
  const print = useMutation(
    actions.people.printCard.mutationOptions({
      onSuccess: (file) => saveFile(file, 'member-card.pdf'),
      onError: (failure) => toast.error(t`The card could not be made into a PDF.`, failure),
    }),
  )
  return {
    issue: async () => show(await data.people.issueCard.call({ personId })),
    revoke: async (reason: string) => show(await data.people.revokeCard.call({ personId, reason })),
    print: () => print.mutate({ personId }),
    printing: print.isPending,
  }
}
