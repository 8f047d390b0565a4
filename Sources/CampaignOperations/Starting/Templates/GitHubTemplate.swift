/// A workflow for GitHub Actions that checks pull requests without a secret.
///
/// Only the second job may write, and it runs nothing of the change. A fork's token may write nothing at all; there, the preview
/// stands only in the summary of the workflow's run.
enum GitHubTemplate {
    /// Where GitHub looks for it.
    static let path = ".github/workflows/campaigns.yaml"

    /// The text of that file.
    ///
    /// - Parameter folder: the folder of the campaigns in the repository.
    static func text(_ folder: RepositoryPath) -> String {
        #"""
        # Checks the campaigns of a pull request, and shows in it what people would read. It needs no secret and sees none:
        # `pull_request` gives none to forks, no step here is given one, and hubsend connects nowhere for this.
        name: campaigns
        on:
          pull_request:
            paths: ["\#(folder.glob)", \#(path)]

        # What a job needs beyond reading, it says itself.
        permissions:
          contents: read

        concurrency:
          group: campaigns-${{ github.event.pull_request.number }}
          cancel-in-progress: true

        env:
          CAMPAIGNS: "\#(folder.text)"
          # Fill in where your build of hubsend lies, and its checksum (sha256sum). Neither is a secret.
          PROGRAM_URL: https://www.example.com/hubsend
          PROGRAM_SHA256: "0000000000000000000000000000000000000000000000000000000000000000"

        jobs:
          check:
            runs-on: ubuntu-24.04
            timeout-minutes: 10
            permissions:
              contents: read
              security-events: write     # for the findings under Security; a fork's token is not asked to
            outputs:
              preview: ${{ steps.upload.outputs.artifact-id }}
            steps:
              - uses: actions/checkout@v5.0.0
                with:
                  persist-credentials: false
              - name: Install hubsend
                id: install
                run: |
                  sudo apt-get update -qq
                  sudo apt-get install -y -qq libyaml-0-2 libsqlite3-0 libxml2 libcrypt1 >/dev/null
                  curl -fsSL "$PROGRAM_URL" -o "$RUNNER_TEMP/hubsend"
                  echo "$PROGRAM_SHA256  $RUNNER_TEMP/hubsend" | sha256sum -c -
                  chmod 755 "$RUNNER_TEMP/hubsend"
                  echo "$RUNNER_TEMP" >> "$GITHUB_PATH"
              # Its findings stand at their lines in the pull request, and a fault fails the job whatever the steps below show.
              - name: Validate
                run: hubsend validate --strict "$CAMPAIGNS"
              - name: Findings as SARIF
                if: ${{ !cancelled() && steps.install.outcome == 'success' }}
                run: hubsend validate --format sarif "$CAMPAIGNS" > "$RUNNER_TEMP/findings.sarif" || test $? = 1
              - name: Show findings under Security
                if: ${{ !cancelled() && github.event.pull_request.head.repo.full_name == github.repository }}
                # A private repository without code scanning cannot take them.
                continue-on-error: true
                uses: github/codeql-action/upload-sarif@v4.35.2
                with:
                  sarif_file: ${{ runner.temp }}/findings.sarif
                  category: hubsend
              # Of a campaign with faults it shows those, and of one with people of exports or runs, which are not here, that.
              - name: Preview
                id: preview
                if: ${{ !cancelled() && steps.install.outcome == 'success' }}
                run: |
                  hubsend preview --format markdown "$CAMPAIGNS" > "$RUNNER_TEMP/preview.md" || test -s "$RUNNER_TEMP/preview.md"
                  cat "$RUNNER_TEMP/preview.md" >> "$GITHUB_STEP_SUMMARY"
              - uses: actions/upload-artifact@v4.6.2
                id: upload
                if: ${{ !cancelled() && steps.preview.outcome == 'success' }}
                with:
                  name: preview
                  path: ${{ runner.temp }}/preview.md
                  retention-days: 7

          comment:
            needs: check
            # A fork's token cannot write; its preview stands in the summary of the run.
            if: ${{ !cancelled() && needs.check.outputs.preview && github.event.pull_request.head.repo.full_name == github.repository }}
            runs-on: ubuntu-24.04
            timeout-minutes: 5
            permissions:
              pull-requests: write
            steps:
              # Nothing of the change is checked out or run here; a text is all that comes of it.
              - uses: actions/download-artifact@v5.0.0
                with:
                  name: preview
              - uses: actions/github-script@v8.0.0
                with:
                  script: |
                    const mark = '<!-- hubsend preview -->'
                    const most = 60000
                    const text = require('fs').readFileSync('preview.md', 'utf8')
                    const body = mark + '\n' + (text.length > most ? text.slice(0, most) + '\n…' : text)
                    const place = { ...context.repo, issue_number: context.issue.number }
                    const comments = await github.paginate(github.rest.issues.listComments, place)
                    const own = comments.find(c => c.user.type === 'Bot' && c.body.startsWith(mark))
                    if (own) {
                      await github.rest.issues.updateComment({ ...context.repo, comment_id: own.id, body })
                    } else {
                      await github.rest.issues.createComment({ ...place, body })
                    }

        """#
    }
}
