/// Jobs for GitLab CI: checks of merge requests, and one job that sends on request.
///
/// The checks have no secret with which they could write a comment, so the merge request links to a
/// page.
enum GitLabTemplate {
    static let path = ".gitlab-ci.yml"

    static func text(_ folder: RepositoryPath) -> String {
        #"""
        # Checks the campaigns of a merge request, links to a preview of what people would read, and
        # checks the branch after the merge. It needs no secret and must not have access to any:
        # mark the variables for sending as protected, so that merge requests do not get them.
        .campaigns:
          image: debian:12-slim
          variables:
            CAMPAIGNS: "\#(folder.text)"
            # Fill in the address of your hubsend build and its checksum (sha256sum). Neither is a secret.
            PROGRAM_URL: \#(WorkflowLines.unsetProgram)
            PROGRAM_SHA256: "0000000000000000000000000000000000000000000000000000000000000000"
          before_script:
            - |
        \#(WorkflowLines.indented(WorkflowLines.programCheck, by: 6))
            - apt-get update -qq
            - apt-get install -y -qq curl ca-certificates git libyaml-0-2 libsqlite3-0 libxml2 libcrypt1 libpq5 libstdc++6 >/dev/null
            - curl -fsSL "$PROGRAM_URL" -o /usr/local/bin/hubsend
            - echo "$PROGRAM_SHA256  /usr/local/bin/hubsend" | sha256sum -c -
            - chmod 755 /usr/local/bin/hubsend
            # Files that GitLab checks out are writable by everybody, and hubsend refuses such a
            # config.
            - chmod -R go-w .

        validate-campaigns:
          extends: .campaigns
          # There is no `changes:` filter, so that merge requests without campaigns have a pipeline
          # too, because a project may require one.
          rules:
            - if: $CI_PIPELINE_SOURCE == "merge_request_event"
            - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE == "push"
          script:
            # The report fails whenever the job fails, even if only because of warnings. If nothing
            # could be checked, the report shows that.
            - |
              hubsend validate --strict --format junit "$CAMPAIGNS" > findings.xml || test $? = 1 ||
                echo '<testsuites><testsuite name="hubsend"><testcase name="the campaigns could not be checked" classname="hubsend"><failure message="See the log of the job."/></testcase></testsuite></testsuites>' > findings.xml
            - hubsend validate --format sarif "$CAMPAIGNS" > findings.sarif || test $? = 1 -o $? = 2
            - hubsend validate --strict "$CAMPAIGNS"
          artifacts:
            when: always
            expire_in: 1 week
            paths: [findings.sarif]
            reports:
              junit: findings.xml

        preview-campaigns:
          extends: .campaigns
          rules:
            - if: $CI_PIPELINE_SOURCE == "merge_request_event"
          variables:
            # Fetch all commits, because the change is compared with an earlier commit.
            GIT_DEPTH: "0"
            OUT: preview
          script:
            - |
              set -eo pipefail
              BASE=$CI_MERGE_REQUEST_DIFF_BASE_SHA
        \#(WorkflowLines.indented(ChangedCampaigns.script, by: 6))
              cp "$OUT/preview.md" preview.md
              if test -s "$OUT/changed"; then
                xargs -0 hubsend preview --format html < "$OUT/changed" > preview.html || test -s preview.html
              else
                echo '<p>No campaign has changed.</p>' > preview.html
              fi
          artifacts:
            expose_as: Campaign preview
            expire_in: 1 week
            paths: [preview.html, preview.md]

        # Sends a campaign on request: under Build, Pipelines, New pipeline, choose the default
        # branch and set the variable CAMPAIGN to the campaign's file. The first job makes a plan;
        # the second sends exactly what was planned when somebody starts it. It needs
        # HUBSEND_HUB_CONNECTION_STRING and HUBSEND_STORE as protected and masked variables of the
        # project. The store must be on a PostgreSQL server, because runners do not keep files:
        # without the store, hubsend would send everything again. See hubsend-postgresql(7).
        plan-campaign:
          extends: .campaigns
          rules:
            - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE == "web" && $CAMPAIGN
          script:
            - |
        \#(WorkflowLines.indented(WorkflowLines.storeCheck, by: 6))
            - hubsend preview --save campaign.plan.json "$CAMPAIGN"
          artifacts:
            expire_in: 1 week
            # The plan contains checksums and counts, but no names.
            paths: [campaign.plan.json]

        send-campaign:
          extends: .campaigns
          needs: [plan-campaign]
          # To limit who may start it, protect the environment under Settings, CI/CD, Protected environments.
          environment: campaigns
          resource_group: campaigns
          rules:
            - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE == "web" && $CAMPAIGN
              when: manual
          script:
            - hubsend run --plan campaign.plan.json "$CAMPAIGN"

        # Sends whatever is due, if there is a pipeline schedule with the variable SEND_DUE. Cron on your own server is more
        # punctual; see hubsend-cron(7).
        send-due-campaigns:
          extends: .campaigns
          resource_group: campaigns
          rules:
            - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && $CI_PIPELINE_SOURCE == "schedule" && $SEND_DUE
          script:
            - |
        \#(WorkflowLines.indented(WorkflowLines.storeCheck, by: 6))
            - hubsend run --due "$CAMPAIGNS"

        """#
    }
}
