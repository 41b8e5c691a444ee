//! The protocol's requests: lists and calls of tools, resources and prompts.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, LazyLock};

use axum::Router;
use futures_util::FutureExt as _;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, GetPromptRequestParams, GetPromptResponse, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler};

use super::analyses::Analyses;
use super::caller::{Caller, client_of};
use super::tools::TOOLS;
use super::{prompts, resources};
use crate::service::{Client, Service, calls};

/// What a model reads before it calls a tool.
const INSTRUCTIONS: &str = "Board games with exact rules and strong searches. Never invent a move: take it from best_move or \
                            legal_moves, and check what a person plays with play. No game is stored, so every call carries \
                            `game` and `moves` (all moves of both sides from the start), or `position` from a result and the \
                            moves after it. `first` is the player who moves first. A ply is one move of one side. Values \
                            that are not `proven` are estimates.";

static DESCRIPTIONS: LazyLock<Vec<Tool>> = LazyLock::new(|| TOOLS.iter().map(|entry| (entry.describe)()).collect());

/// The server of the protocol.
#[derive(Clone)]
pub struct Tools(Arc<Inner>);

struct Inner {
    routes: Router,
    service: Service,
    analyses: Analyses,
    over_http: bool,
}

impl Tools {
    /// The tools of a service; `over_http` if each request has a client.
    pub fn new(service: Service, over_http: bool) -> Self {
        Self(Arc::new(Inner { routes: calls(service.clone()), service, analyses: Analyses::new(), over_http }))
    }

    fn caller(&self, context: &RequestContext<RoleServer>) -> Result<Caller, ErrorData> {
        let Inner { routes, service, analyses, over_http } = &*self.0;
        let client = client_of(context);
        if *over_http && client.is_none() {
            return Err(ErrorData::internal_error("the request has no client", None));
        }
        Ok(Caller::of((routes, service, analyses), client.unwrap_or(Client::Unknown), context))
    }
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("tesuji", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn on_initialized(&self, _: NotificationContext<RoleServer>) {}

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(DESCRIPTIONS.clone()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        DESCRIPTIONS.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(entry) = TOOLS.iter().find(|entry| entry.name == request.name) else {
            let names: Vec<&str> = TOOLS.iter().map(|entry| entry.name).collect();
            let problem = format!("unknown tool `{}`: expected one of {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(problem, None));
        };
        let caller = self.caller(&context)?;
        tokio::select! {
            result = AssertUnwindSafe((entry.call)(&caller, request.arguments.unwrap_or_default())).catch_unwind() => {
                result.map(Into::into).map_err(|_| {
                    tracing::error!(tool = entry.name, "a tool panicked");
                    ErrorData::internal_error("the call failed on the server", None)
                })
            }
            // Dropping the call stops its search.
            () = context.ct.cancelled() => Err(ErrorData::internal_error("the call was cancelled", None)),
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let resources = resources::list(&self.caller(&context)?);
        let internal = |_| ErrorData::internal_error("the resources cannot be listed", None);
        Ok(ListResourcesResult::with_all_items(resources.map_err(internal)?))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources::read(&self.caller(&context)?, &request.uri).map(Into::into)
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompts::get(&self.caller(&context)?, &request.name, request.arguments.as_ref()).map(Into::into)
    }
}
