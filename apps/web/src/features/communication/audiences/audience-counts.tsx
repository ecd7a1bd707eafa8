import { UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { AudienceDefinition, AudienceRefusal, AudienceScope } from '@guildhall/contract/features/communication.audiences'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'
import { problemText } from '../../../platform/api/problem-text.tsx'
import { refusedPeople } from './audience-words.ts'
import classes from './audiences.module.css'

export type Asked = { definition: AudienceDefinition; scope: AudienceScope; topicId: string | null }
/** Which of its people are listed. */
export type Shown = 'all' | 'reachable' | AudienceRefusal

/** How many people are in an audience and whom a mail reaches; each number opens its list. */
export function AudienceCounts({ asked, onShow }: { asked: Asked; onShow: (shown: Shown) => void }) {
  const { audiences } = useApi().data.communication
  const [question] = useDebouncedValue(asked, 400)
  const isEmpty = asked.definition.include.length === 0
  const count = useQuery({
    ...audiences.count.queryOptions({ input: question }),
    enabled: !isEmpty,
    retry: false,
    placeholderData: keepPreviousData,
  })
  if (isEmpty) return <p role="status" className={classes['counts']}>{t`This audience is empty: nobody is included yet.`}</p>
  if (count.isError) {
    return (
      <p role="alert" className={classes['counts']}>
        {problemText(count.error)}
      </p>
    )
  }
  if (!count.data) return <p role="status" className={classes['counts']}>{t`Counting people`}</p>
  const { total, reachable, refused } = count.data
  const others = total - reachable
  return (
    <div role="status" className={classes['counts']} aria-busy={count.isFetching}>
      {total === 0 ? (
        <p>{t`This audience is empty: nobody is found.`}</p>
      ) : (
        <p>
          <Number onClick={() => onShow('all')}>{plural(total, { one: '# person', other: '# people' })}</Number>
          {', '}
          <Number onClick={() => onShow('reachable')}>
            {plural(reachable, { one: '# can be written to', other: '# can be written to' })}
          </Number>
          {others > 0 && (
            <>
              {', '}
              {plural(others, { one: '# cannot', other: '# cannot' })}
              {': '}
              {refused.map(({ reason, people }, nth) => (
                <span key={reason}>
                  {nth > 0 && ', '}
                  <Number onClick={() => onShow(reason)}>{refusedPeople(reason, people)}</Number>
                </span>
              ))}
            </>
          )}
        </p>
      )}
      <UnstyledButton className={classes['link']} onClick={() => onShow('all')}>
        <Trans>Check a person</Trans>
      </UnstyledButton>
    </div>
  )
}

const Number = ({ children, onClick }: { children: string; onClick: () => void }) => (
  <UnstyledButton className={classes['link']} onClick={onClick}>
    {children}
  </UnstyledButton>
)
