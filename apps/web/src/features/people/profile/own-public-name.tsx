import { Switch } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'
import { toast } from '../../../platform/activity/toast.tsx'
import { Section } from '../../../ui/page/page.tsx'

/** Whether the reader is named where everybody can read it; nobody else decides that. */
export function OwnPublicName({ personId }: { personId: string }) {
  const { people } = useApi().data
  const cache = useQueryClient()
  const { data } = useQuery(people.publicName.queryOptions({ input: { personId } }))
  const set = useMutation(
    people.setPublicName.mutationOptions({
      onSuccess: (saved) => cache.setQueryData(people.publicName.queryKey({ input: { personId } }), saved),
      onError: (failure) => toast.error(t`Your choice could not be saved.`, failure),
    }),
  )
  return (
    <Section title={t`Name in public`}>
      <Switch
        label={t`Show my name on public pages`}
        description={t`Beside your offices on the public page of your chapter, and when somebody checks your member card. You can withdraw it at any time.`}
        checked={data?.shown ?? false}
        disabled={!data || set.isPending}
        onChange={(event) => set.mutate({ personId, shown: event.currentTarget.checked, withPicture: data?.withPicture ?? false })}
      />
      {data?.shown && (
        <Switch
          mt="sm"
          label={t`Show my picture as well`}
          description={t`Only when somebody checks your member card.`}
          checked={data.withPicture}
          disabled={set.isPending}
          onChange={(event) => set.mutate({ personId, shown: true, withPicture: event.currentTarget.checked })}
        />
      )}
    </Section>
  )
}
