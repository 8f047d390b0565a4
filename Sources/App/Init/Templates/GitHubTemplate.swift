/// Workflows for GitHub Actions: the first checks pull requests, and the second sends on request.
///
/// The check needs no secret. Only its second job may write to the pull request, and that job runs
/// nothing from the change. A fork's token cannot write at all, so a fork's preview is only in the
/// summary of the workflow run.
enum GitHubTemplate {
    static let path = ".github/workflows/campaigns.yaml"
    static let sendingPath = ".github/workflows/send-campaign.yaml"

    static func text(_ folder: RepositoryPath) -> String {
        #"""
        # Checks the campaigns of a pull request, posts what people would read as a comment, and
        # checks the branch after the merge. It needs no secret and has access to none:
        # `pull_request` gives none to forks, no step here receives a secret, and hubsend makes no
        # connections.
        name: campaigns
        on:
          # There is no `paths:` filter, so that "check" can be a required check: GitHub waits forever for a check that was filtered
          # out, and a pull request without campaigns could never be merged.
          pull_request:
          merge_group:
          push:
            branches: [main, master]

        # Jobs that need more than read access declare it.
        permissions:
          contents: read

        concurrency:
          group: campaigns-${{ github.event.pull_request.number || github.ref }}
          cancel-in-progress: ${{ github.event_name == 'pull_request' }}

        defaults:
          run:
            shell: bash

        env:
          CAMPAIGNS: "\#(folder.text)"
        \#(program)

        jobs:
          check:
            runs-on: ubuntu-24.04
            timeout-minutes: 10
            permissions:
              contents: read
              security-events: write     # for the findings under Security; not used with a fork's token
            outputs:
              preview: ${{ steps.upload.outputs.artifact-id }}
              changed: ${{ steps.preview.outputs.changed }}
            steps:
        \#(checkout)
                  # The merge commit, and the target branch before it.
                  fetch-depth: 2
        \#(install)
              # Findings appear at their lines in the pull request. An error fails the job, whatever the later steps show.
              - name: Validate
                run: hubsend validate --strict "$CAMPAIGNS"
              - name: Findings as SARIF
                if: ${{ !cancelled() && steps.install.outcome == 'success' }}
                run: hubsend validate --format sarif "$CAMPAIGNS" > "$RUNNER_TEMP/findings.sarif" || test $? = 1
              - name: Show findings under Security
                if: ${{ !cancelled() && steps.install.outcome == 'success' && (github.event_name == 'push' || github.event.pull_request.head.repo.full_name == github.repository) }}
                # This fails in a private repository without code scanning.
                continue-on-error: true
                uses: github/codeql-action/upload-sarif@v4.35.2
                with:
                  sarif_file: ${{ runner.temp }}/findings.sarif
                  category: hubsend
              - name: Preview
                id: preview
                if: ${{ !cancelled() && github.event_name == 'pull_request' && steps.install.outcome == 'success' }}
                env:
                  BASE: HEAD^1
                  OUT: ${{ runner.temp }}/preview
                run: |
        \#(WorkflowLines.indented(ChangedCampaigns.script, by: 10))
                  cat "$OUT/preview.md" >> "$GITHUB_STEP_SUMMARY"
                  echo "changed=$(cat "$OUT/count")" >> "$GITHUB_OUTPUT"
              - uses: actions/upload-artifact@v4.6.2
                id: upload
                if: ${{ !cancelled() && steps.preview.outcome == 'success' }}
                with:
                  name: preview
                  path: |
                    ${{ runner.temp }}/preview/preview.md
                    ${{ runner.temp }}/preview/preview-all.md
                  retention-days: 7

          comment:
            needs: check
            # A fork's token cannot write, so a fork's preview is only in the summary of the run.
            if: ${{ !cancelled() && needs.check.outputs.preview && github.event.pull_request.head.repo.full_name == github.repository }}
            runs-on: ubuntu-24.04
            timeout-minutes: 5
            permissions:
              pull-requests: write
            steps:
              # This job does not check out or run anything from the change; it only posts a
              # comment.
              - uses: actions/download-artifact@v5.0.0
                with:
                  name: preview
              - uses: actions/github-script@v8.0.0
                env:
                  CHANGED: ${{ needs.check.outputs.changed }}
                with:
                  script: |
                    const mark = '<!-- hubsend preview -->'
                    const body = mark + '\n' + require('fs').readFileSync('preview.md', 'utf8')
                    const place = { ...context.repo, issue_number: context.issue.number }
                    const comments = await github.paginate(github.rest.issues.listComments, place)
                    const own = comments.find(c => c.user.type === 'Bot' && c.body.startsWith(mark))
                    if (own) {
                      await github.rest.issues.updateComment({ ...context.repo, comment_id: own.id, body })
                    } else if (process.env.CHANGED !== '0') {
                      await github.rest.issues.createComment({ ...place, body })
                    }

        """#
    }

    /// The workflow that sends; it does nothing until somebody starts it.
    static func sending(_ folder: RepositoryPath) -> String {
        #"""
        # Sends a campaign when somebody starts it under Actions: it makes a plan, waits for
        # approval, and sends exactly what was planned.
        #
        # It needs, under Settings:
        #   - the secrets HUBSEND_HUB_CONNECTION_STRING and HUBSEND_STORE. The store must be on a
        #     PostgreSQL server, because runners do not keep files: without the store, hubsend would
        #     send everything again. See hubsend-postgresql(7).
        #   - the environment "campaigns", with the people who may approve a sending ("Required reviewers").
        # Campaigns with a schedule are best sent by cron on your own server (see hubsend-cron(7)):
        # GitHub starts jobs late, and stops starting them after 60 days without activity in the
        # repository. To use GitHub anyway, remove the # before `schedule:`.
        name: send a campaign
        on:
          workflow_dispatch:
            inputs:
              campaign:
                description: The path of the campaign's file from the top of the repository
                required: true
          # schedule: [{ cron: "*/10 * * * *" }]

        permissions:
          contents: read

        # Run one at a time; hubsend itself never sends anything twice.
        concurrency:
          group: send-campaign

        defaults:
          run:
            shell: bash

        env:
          CAMPAIGNS: "\#(folder.text)"
          CAMPAIGN: ${{ inputs.campaign }}
        \#(program)

        jobs:
          plan:
            if: ${{ github.event_name == 'workflow_dispatch' && github.ref_name == github.event.repository.default_branch }}
            runs-on: ubuntu-24.04
            timeout-minutes: 30
            env:
        \#(secrets)
            steps:
        \#(checkout)
        \#(install)
              - name: Plan
                run: |
        \#(storeCheck)
                  hubsend preview --format markdown --save "$RUNNER_TEMP/campaign.plan.json" "$CAMPAIGN" >> "$GITHUB_STEP_SUMMARY"
              # The plan contains checksums and counts, but no names.
              - uses: actions/upload-artifact@v4.6.2
                with:
                  name: plan
                  path: ${{ runner.temp }}/campaign.plan.json
                  retention-days: 7

          send:
            needs: plan
            environment: campaigns
            runs-on: ubuntu-24.04
            timeout-minutes: 360
            env:
        \#(secrets)
            steps:
        \#(checkout)
        \#(install)
              - uses: actions/download-artifact@v5.0.0
                with:
                  name: plan
              # If anything has changed since the plan was made, nothing is sent.
              - name: Send
                run: hubsend run --plan campaign.plan.json "$CAMPAIGN"

          due:
            if: ${{ github.event_name == 'schedule' }}
            runs-on: ubuntu-24.04
            timeout-minutes: 360
            env:
        \#(secrets)
            steps:
        \#(checkout)
        \#(install)
              - name: Send what is due
                run: |
        \#(storeCheck)
                  hubsend run --due "$CAMPAIGNS"

        """#
    }

    private static let program = """
          # Fill in the address of your hubsend build and its checksum (sha256sum). Neither is a secret.
          PROGRAM_URL: \(WorkflowLines.unsetProgram)
          PROGRAM_SHA256: "0000000000000000000000000000000000000000000000000000000000000000"
        """

    private static let secrets = """
              HUBSEND_HUB_CONNECTION_STRING: ${{ secrets.HUBSEND_HUB_CONNECTION_STRING }}
              HUBSEND_STORE: ${{ secrets.HUBSEND_STORE }}
        """

    private static let storeCheck = WorkflowLines.indented(WorkflowLines.storeCheck, by: 10)

    private static let checkout = """
              - uses: actions/checkout@v5.0.0
                with:
                  persist-credentials: false
        """

    private static let install = #"""
              - name: Install hubsend
                id: install
                run: |
        \#(WorkflowLines.indented(WorkflowLines.programCheck, by: 10))
                  sudo apt-get update -qq
                  sudo apt-get install -y -qq libyaml-0-2 libsqlite3-0 libxml2 libcrypt1 libpq5 >/dev/null
                  curl -fsSL "$PROGRAM_URL" -o "$RUNNER_TEMP/hubsend"
                  echo "$PROGRAM_SHA256  $RUNNER_TEMP/hubsend" | sha256sum -c -
                  chmod 755 "$RUNNER_TEMP/hubsend"
                  echo "$RUNNER_TEMP" >> "$GITHUB_PATH"
        """#
}
